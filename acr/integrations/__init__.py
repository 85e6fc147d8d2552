"""ACR inside other people's frameworks, each in its own convention. Importing one needs its library.

    langchain   AcrMiddleware for `create_agent`
    langgraph   a node, and a subgraph, that make the view
    litellm     AcrHook, a callback of LiteLLM's proxy
    agents      a model input filter for the OpenAI Agents SDK

All of them change the view of one model call only: the history that the framework keeps stays as it is.
"""
