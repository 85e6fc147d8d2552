import pytest

from acr.conversation import Turn
from acr.reading.language import guess


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How many shells did she find on the beach?", "en"),
        ("Wie viele Äpfel habe ich, und was kosten sie?", "de"),
        ("Combien de pommes est-ce que je dois acheter pour la fête ?", "fr"),
        ("¿Cuánto cuesta el viaje para los tres?", "es"),
        ("Preciso organizar uma festa, mas não sei quanto custa.", "pt"),
        ("Quanto costa il viaggio per tre persone e una notte?", "it"),
        ("Hoeveel kost het, en wat is het adres van de zaal?", "nl"),
        ("Hur många är det, och vad kostar det för oss?", "sv"),
        ("Ile to kosztuje i co jest w cenie?", "pl"),
        ("Bu ne kadar ve nasıl bir yer için?", "tr"),
        ("Сколько стоит поездка?", "ru"),
        ("كم تكلفة الرحلة؟", "ar"),
        ("यात्रा में कितना खर्च होगा?", "hi"),
        ("旅行要花多少钱？", "zh"),
        ("旅行はいくらですか？", "ja"),
        ("여행 비용이 얼마예요?", "ko"),
        ("q1", ""),
        ("", ""),
    ],
)
def test_guess(text: str, language: str) -> None:
    assert guess([Turn("0", "user", text)]) == language
