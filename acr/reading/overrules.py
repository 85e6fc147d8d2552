"""Turns that take back or replace what an earlier one asked for.

Once such a turn was answered, the earlier one must not be said again beside the answer: "Leave out the
interns. No, keep them in." is a list of wishes that contradict each other.
"""

import re

from acr.reading.features import Features, features
from acr.reading.lasting import pattern
from acr.reading.task import Task
from acr.text import fold, stem

TAKEN_BACK = """
scratch that|forget the|forget that|forget about|forget it|never mind|nevermind|actually no|actually not
on second thought|cancel that|undo|revert|roll back|go back to|put it back|not needed anymore|no longer needed
ach nein|doch nicht|doch alle|doch wieder|doch lieber|vergiss|rückgängig|nicht mehr nötig
zurück zu|zurück zum|zurück zur|oublie|oubliez|laisse tomber|annule|annulez|annuler|finalement
tout compte fait|en fait non|revenons|olvida|olvídate|olvídalo|olvide|deshaz|cancela eso|anula|después de todo
mejor no|al final sí|volvamos|esquece|esqueça|desfaz|desfaça|cancela isso|afinal|melhor não|deixa para lá
dimentica|lascia perdere|annulla|anzi no|meglio di no|torniamo|vergeet|laat maar|toch niet|toch wel|ongedaan
terug naar|glöm|strunta i|ångra|ändå|tillbaka till|zapomnij|jednak|cofnij|anuluj|wróć do
забудь|забудьте|отмени|отмените|отмена|всё-таки|все-таки|всё же|все же|передумал|передумала
unut|boş ver|vazgeçtim|geri al|انس|تراجع|ألغ|غيرت رأيي|रहने दो|भूल जाओ|रद्द|תשכח|עזוב|בטל|תבטל|בעצם לא
算了|撤销|取消刚才|恢复|改回|还是要|不用了|やっぱり|やはり|取り消|元に戻|취소|되돌려|되돌리|원래대로|역시|됐어
"""
"""What is said when a wish no longer holds, or holds again."""

_TAKEN_BACK = pattern(TAKEN_BACK)
_NO = re.compile(
    r"\A\W*(?:(?:oh|ah|ach|hm+|ну|ой)\W+)?"
    r"(?:no|nope|nein|nee|non|não|nej|nie|нет|hayır|لا|नहीं|לא|不|不对|いや|いいえ|아니|아니요)\s*[,.:;!–—،、，。]",
    re.IGNORECASE,
)
"""Speaks against what was said before ("No, keep them"), unlike "no duplicates"."""
_BEGINNING = 2
"""Tokens: further in, a word of correction explains ("by range I mean highest minus lowest")."""

_RECENT = 10
"""User turns back to which a turn is compared."""


def overrules(text: str, found: Features, task: Task) -> bool:
    """Whether a turn takes back, corrects or replaces what an earlier turn of the task asked for."""
    return (
        bool(_NO.match(text) or _TAKEN_BACK.search(fold(text)))
        or any(where < _BEGINNING for where in found.acts.get("correction", ()))
        or any(_other_figure(features(user.fresh), found) for user in task.users[1:][-_RECENT:])
    )


def _other_figure(before: Features, after: Features) -> bool:
    """Says the same with another figure: "round to 1 digit" after "round to 2 digits"."""
    return (
        bool(before.numbers and after.numbers)
        and before.numbers.isdisjoint(after.numbers)
        and _words(before) == _words(after)
    )


def _words(found: Features) -> list[str]:
    return [stem(token) for token in found.tokens if not token[0].isdigit()]
