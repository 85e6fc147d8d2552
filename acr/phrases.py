"""The few words of its own that ACR puts into a context, in the user's language."""

from typing import Literal

Phrase = Literal["recap", "reask"]

PHRASES: dict[Phrase, dict[str, str]] = {
    "recap": {
        "en": "What I have said so far, as it stands now:",
        "de": "Was ich bisher gesagt habe, nach aktuellem Stand:",
        "fr": "Ce que j'ai dit jusqu'ici, dans son état actuel :",
        "es": "Lo que he dicho hasta ahora, tal como está:",
        "pt": "O que eu disse até agora, como está neste momento:",
        "it": "Quello che ho detto finora, allo stato attuale:",
        "nl": "Wat ik tot nu toe heb gezegd, zoals het nu is:",
        "sv": "Vad jag har sagt hittills, som det är nu:",
        "pl": "Co powiedziałem do tej pory, w obecnym stanie:",
        "tr": "Şimdiye kadar söylediklerim, şu anki haliyle:",
        "ru": "Что я сказал до сих пор, в нынешнем виде:",
        "ar": "ما قلته حتى الآن، كما هو عليه حاليا:",
        "hi": "अब तक मैंने जो कहा है, वर्तमान स्थिति में:",
        "zh": "到目前为止我所说的内容，以现在为准：",
        "ja": "これまでに私が伝えた内容（現時点）：",
        "ko": "지금까지 제가 말한 내용(현재 기준):",
    },
    "reask": {
        "en": "If anything you need is missing, do not guess: ask me one short, precise question instead.",
        "de": "Wenn dir etwas Nötiges fehlt, rate nicht: Stelle mir stattdessen eine kurze, genaue Frage.",
        "fr": "S'il manque quelque chose de nécessaire, ne devine pas : pose-moi plutôt une question courte et précise.",
        "es": "Si falta algo que necesitas, no lo supongas: hazme una sola pregunta corta y precisa.",
        "pt": "Se faltar algo de que você precisa, não adivinhe: faça-me uma única pergunta curta e precisa.",
        "it": "Se manca qualcosa che ti serve, non tirare a indovinare: fammi una sola domanda breve e precisa.",
        "nl": "Als er iets ontbreekt dat je nodig hebt, gok dan niet: stel me één korte, precieze vraag.",
        "sv": "Om något du behöver saknas, gissa inte: ställ en enda kort och precis fråga till mig.",
        "pl": "Jeśli brakuje czegoś potrzebnego, nie zgaduj: zadaj mi jedno krótkie, precyzyjne pytanie.",
        "tr": "Gereken bir bilgi eksikse tahmin etme: bana tek bir kısa ve net soru sor.",
        "ru": "Если чего-то нужного не хватает, не угадывай: задай мне один короткий и точный вопрос.",
        "ar": "إذا كان هناك شيء تحتاجه ناقصا فلا تخمن: اسألني سؤالا واحدا قصيرا ودقيقا.",
        "hi": "अगर कोई ज़रूरी बात छूट गई है तो अनुमान मत लगाओ: मुझसे एक छोटा, सटीक सवाल पूछो।",
        "zh": "如果缺少你需要的信息，不要猜测：请问我一个简短而明确的问题。",
        "ja": "必要な情報が足りないときは推測せず、短く明確な質問を一つだけしてください。",
        "ko": "필요한 정보가 부족하면 추측하지 말고, 짧고 정확한 질문을 하나만 해 주세요.",
    },
}


def phrase(name: Phrase, language: str) -> str:
    """The phrase in that language, or "" where ACR does not have it: no words rather than foreign ones."""
    return PHRASES[name].get(language, "")
