"""
title: ACR
description: Shows the model a context in which it cannot get lost. The chat itself stays as it is.
requirements: adaptive-context-refactoring
version: 0.1.0
license: Apache-2.0
"""

import logging

from pydantic import BaseModel, Field

import acr


class Filter:
    class Valves(BaseModel):
        controller: str = Field("rules", description="Who decides: rules, never, always:recap, …")

    def __init__(self) -> None:
        self.valves = self.Valves()

    async def inlet(self, body: dict, __user__: dict | None = None) -> dict:
        """Called by Open WebUI with each chat request before it goes to the model."""
        messages = body.get("messages")
        if isinstance(messages, list):
            try:
                body["messages"] = (await acr.arefactor(messages, controller=self.valves.controller)).messages
            except acr.AcrError as error:  # a controller that is not there: the chat goes on without ACR
                logging.getLogger("acr").warning("%s", error)
        return body
