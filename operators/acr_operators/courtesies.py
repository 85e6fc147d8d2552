"""Closing courtesies of assistants: sentences that carry nothing but politeness, in sixteen languages."""

import re

from acr.text import fold, sentences

_LONGEST = 160
_PHRASES = """
let me know if you|feel free to|i hope this helps|hope this helps|hope that helps|happy to help|glad to help|glad i could help|you're welcome|you are welcome|is there anything else|anything else i can|if you have any other questions|if you have any more questions|if you have any further questions|if you have any questions|don't hesitate to|if you need anything else|if you need any further|great question|have a great day
gern geschehen|sehr gern|lass es mich wissen|lassen sie es mich wissen|wenn du weitere fragen hast|wenn sie weitere fragen haben|falls du noch fragen hast|falls sie noch fragen haben|ich hoffe, das hilft|ich helfe gern|melde dich gern|kann ich sonst noch
de rien|je vous en prie|je t'en prie|n'hésite pas|n'hésitez pas|j'espère que cela vous aide|j'espère que ça t'aide|si tu as d'autres questions|si vous avez d'autres questions|puis-je vous aider|puis-je t'aider
de nada|con gusto|no dudes en|no dude en|espero que esto ayude|espero que te sirva|si tienes más preguntas|si tienes otras preguntas|si necesitas algo más|hay algo más en lo que
por nada|não hesite em|espero que isso ajude|se tiver mais perguntas|se precisar de mais|posso ajudar em mais|prego, |non esitare a|spero che questo aiuti|spero che ti sia utile|se hai altre domande|posso aiutarti con
graag gedaan|laat het me weten|laat het mij weten|ik hoop dat dit helpt|als je nog vragen hebt|aarzel niet|varsågod|hoppas det hjälper|säg till om|tveka inte|om du har fler frågor
nie ma za co|proszę bardzo|daj mi znać|mam nadzieję, że to pomoże|jeśli masz więcej pytań|nie wahaj się|пожалуйста, обращайтесь|не за что|надеюсь, это поможет|если у вас есть вопросы|если у тебя есть вопросы|дайте знать|дай знать|обращайтесь
rica ederim|yardımcı olabildiysem|başka bir sorunuz|başka sorunuz varsa|umarım yardımcı|العفو|على الرحب والسعة|آمل أن يكون هذا مفيدا|إذا كان لديك أي أسئلة|لا تتردد في|आपका स्वागत है|उम्मीद है इससे मदद|अगर आपके और सवाल|कोई और सवाल
不客气|希望这对你有帮助|希望对您有帮助|如果您还有其他问题|如果你还有问题|随时告诉我|どういたしまして|お役に立てれば|他にご質問|ご不明な点|お気軽に|천만에요|도움이 되길|도움이 되었|더 궁금한|다른 질문이|언제든지
"""
_FOUND = re.compile(
    "|".join(re.escape(fold(each)) for line in _PHRASES.strip().splitlines() for each in line.split("|"))
)


def courteous(sentence: str) -> bool:
    """Whether a sentence is a courtesy: one of the phrases begins it, and it brings no figure and no code."""
    if len(sentence) > _LONGEST or any(map(str.isdigit, sentence)) or "`" in sentence:
        return False
    found = _FOUND.search(fold(sentence))
    return found is not None and found.start() <= _LEAD


_LEAD = 12
"""Characters that may stand before it: "Sure! ", a dash, an emoji."""


def only_courtesies(text: str) -> bool:
    said = sentences(text)
    return bool(said) and all(map(courteous, said))


def without_closing(text: str) -> str:
    """The text without the courtesies at its end; as it is if nothing else would be left."""
    kept = text.rstrip()
    while said := sentences(kept[-_LONGEST * 2 :]):
        last = said[-1]
        if not courteous(last) or not kept.endswith(last) or len(last) == len(kept):
            break
        kept = kept[: -len(last)].rstrip()
    return kept if kept != text.rstrip() else text
