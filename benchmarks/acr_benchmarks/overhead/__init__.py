"""What ACR costs: `acr bench overhead` measures the proxy over sockets, `acr bench engine` the engine alone.

Every process is a real one and all of them speak over loopback: a scripted upstream, the relays that are
compared, and a load generator. The relays take turns, many short slices each, so that whatever else the
machine does meets all of them alike. Rates are compared within a round; the machine's own speed drops out.
"""
