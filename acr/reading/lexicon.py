"""Small closed word lists that carry dialogue acts, for sixteen languages at once.

They are matched all together, whatever the language: users mix languages, and a guess would be one more
thing to get wrong. Entries are chosen so that they mean the same or nothing in the other languages.
Everything here is a hint among others (see `acr.signals`); what it cannot know is in docs/signals.md.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from acr.reading.operations import (
    ALSO,
    AND,
    ARTEFACT,
    DEGREE,
    FAILS,
    FAULTS,
    FRUSTRATED,
    MAKES,
    OF_IT,
    OFFER,
    OPERATION,
    PART,
    POINTER,
    POLITE,
    RELATIVE,
    SELF,
    STATES,
    SUBJECT,
    THANKS,
    THIRD,
    TONGUE,
    WHY,
    YOU,
)
from acr.reading.versions import VERSION
from acr.text import fold, tokens

Act = Literal[
    "accept",
    "correction",
    "negated",
    "replaces",
    "restates",
    "reference",
    "ordinal",
    "rework",
    "more_needed",
    "insufficient",
    "new_topic",
    "just_do_it",
    "anaphor",
    "anaphor_object",
    "operation",
    "why",
    "and",
    "self",
    "polite",
    "also",
    "offer",
    "states",
    "part",
    "degree",
    "tongue",
    "you",
    "pointer",
    "thanks",
    "frustrated",
    "subject",
    "fails",
    "faults",
    "relative",
    "makes",
    "artefact",
    "third",
    "of_it",
    "version",
]

ACCEPT = """
thanks|thank you|thx|perfect|great|awesome|sounds good|looks good|that works|well done|nice work|lovely|much appreciated
danke|dankeschön|vielen dank|prima|passt so|wunderbar|alles klar|merci|parfait|super|génial|gracias|perfecto|genial|estupendo
obrigado|obrigada|perfeito|ótimo|valeu|grazie|perfetto|ottimo|bedankt|dank je|dank u|prachtig|tack|perfekt|toppen|jättebra
dziękuję|dzięki|świetnie|спасибо|отлично|прекрасно|teşekkürler|teşekkür ederim|harika|شكرا|ممتاز|धन्यवाद|शुक्रिया|बढ़िया
ja gerne|gefällt mir|nehmen wir|einverstanden|agreed|let's do that|let's take|let's go with|we'll take|i'll take|deal|on prend|d'accord|de acuerdo|vale|va bene|akkoord|zgoda|договорились|tamam|nice|cheers|love it|goodbye|bye|good night|you're the best|schönen abend|schönes wochenende|hejdå|sağ ol|sağol|haha danke|תודה|מעולה|מושלם|bonne journée|buona giornata
好的|就这个|谢谢|感谢|再见|感謝|助かりました|太好了|很好|完美|ありがとう|素晴らしい|完璧|감사합니다|고마워|고맙습니다|완벽해
"""

CORRECTION = """
actually|correction|i meant|i mean|scratch that|make that|make it|change that|change it to|instead|rather than|no longer|not anymore|sorry|oops|on second thought|i misspoke|i was wrong|never mind
eigentlich|ich meinte|doch lieber|statt|stattdessen|anstatt|korrektur|nicht mehr|lieber doch|en fait|je voulais dire|plutôt|au lieu|à la place|correction
en realidad|mejor|quise decir|en vez de|en lugar de|perdón|corrección|na verdade|quis dizer|em vez de|melhor|correção|in realtà|anzi|volevo dire|invece di|invece|meglio
eigenlijk|ik bedoelde|in plaats van|toch liever|egentligen|jag menade|istället|hellre|właściwie|chciałem powiedzieć|zamiast|jednak|на самом деле|я имел в виду|вместо|лучше
aslında|demek istedim|yerine|في الواقع|بدلا من|أقصد|असल में|के बजाय|मेरा मतलब|其实|实际上|我的意思是|改成|而不是|不是|やっぱり|実は|ではなく|じゃなくて|の代わりに|사실|말고|대신|아니라
"""

REPLACES = """
instead of|rather than|statt|anstatt|au lieu de|au lieu du|en vez de|en lugar de|em vez de|invece di|in plaats van|istället för|zamiast|вместо|yerine|بدلا من|के बजाय
"""

RESTATES = """
make it|make that|change that to|change it to|i meant|scratch that|ich meinte|ich meine|je voulais dire|quise decir|quis dizer|volevo dire|ik bedoelde|jag menade|chciałem powiedzieć|я имел в виду|demek istedim|أقصد|मेरा मतलब
改成|我的意思是
"""

NEGATED = """
not|instead of|rather than|no longer|no more|drop the|without|nicht|statt|anstatt|kein|keine|keinen|ohne|pas|au lieu de|sans|no|en vez de|en lugar de|sin|não|em vez de|sem
non|invece di|senza|niet|geen|in plaats van|zonder|inte|istället för|utan|nie|zamiast|bez|не|вместо|без|ليس|بدلا من|بدون|नहीं|के बजाय
"""

REFERENCE = """
you said|you wrote|you mentioned|you gave|you suggested|you listed|you used|you proposed|you just|you told|your answer|your code|your list|your version|your draft|your reply|your solution|your text|your suggestion|your proposal|your plan|your last|your first|your second
the above|the previous|previous answer|the former|the latter|the first one|the second one|the third one|the last one|the other one|the first option|first option|second option|third option|option 1|option 2|option 3|option a|option b|option c|the first two|the last two|both of them|which of these|which of those|which one|one of those|one of these|of these|of those|that one|this one|those two|item 1|item 2|item 3|point 1|point 2|point 3|number 2|number 3|step 1|step 2|step 3|step 4|line 1|line 2|line 3|line 4|line 5|second item|first item|third item|last item|second point|first point|third point|second paragraph|first paragraph|last paragraph|last sentence|first sentence|second sentence|what does that mean|what do you mean|why is that|how so|how did you|where did you|are you sure|why not|say that again|that again|same thing|the same for|as before|like before|keep the rest|everything else|back to the|back to your
zurück zu|zurück zum|zurück zur|revenons|volviendo a|voltando a|tornando a|terug naar|tillbaka till|wracając do|вернёмся|вернемся
du hast|sagtest du|dein|deine|deinen|deinem|deiner|deines|oben|das obige|der vorherige|letzteres|ersteres|welche davon|welcher davon|welches davon|eins davon|beide|davon|was meinst du|wie kommst du|bist du sicher|wieso das|warum das
tu as dit|tu as écrit|vous avez dit|vous avez écrit|votre réponse|votre code|votre liste|vos réponses|ta|ton|tes|ci-dessus|ce dernier|lequel|laquelle|que veux-tu dire|pourquoi ça|l'un d'eux|ceux-ci
dijiste|escribiste|mencionaste|tu respuesta|tu código|tu lista|su respuesta|lo anterior|cuál de|esa opción|ese punto|qué quieres decir|estás seguro|y por qué
você disse|você escreveu|sua resposta|seu código|sua lista|qual deles|o que você quer dizer|tem certeza|hai detto|hai scritto|la tua risposta|il tuo codice|la tua lista|quale di|cosa intendi|sei sicuro
je zei|je schreef|jouw antwoord|je antwoord|je code|je lijst|hierboven|welke daarvan|wat bedoel je|weet je zeker|du sa|du skrev|ditt svar|din kod|din lista|vilken av|vad menar du|är du säker
powiedziałeś|napisałeś|twoja odpowiedź|twój kod|twoja lista|który z|co masz na myśli|ты сказал|ты написал|вы сказали|вы написали|твой ответ|ваш ответ|твой код|твой список|какой из них|что ты имеешь в виду|ты уверен
dedin|yazdın|cevabın|kodun|listen|yukarıdaki|hangisi|ne demek istiyorsun|emin misin|قلت|كتبت|إجابتك|الكود الخاص بك|قائمتك|أي منها|ماذا تقصد|هل أنت متأكد|तुमने कहा|आपने कहा|आपने लिखा|आपका जवाब|आपकी सूची|कौन सा|क्या मतलब
你说|你写|你提到|你的|你代码|你刚|回到|上面|前面|第一个|第二个|第三个|最后一个|哪一个|哪个|什么意思|你确定|为什么这样|第一条|第二条|第三条|第一段|第二段|刚才|あなたの|さっき|上の|上記|先ほど|一つ目|二つ目|三つ目|1つ目|2つ目|3つ目|1番目|2番目|3番目|最初の|二番目|三番目|最後の|どれ|どちら|どういう意味|本当に|네가 말한|네 답변|당신의|위의|위에|아까|방금|첫 번째|첫번째|두 번째|두번째|세 번째|세번째|마지막|어느 것|무슨 뜻|확실해
the result|that result|the answer|that answer|none of them|none of these|the earlier|the previous one|the other version|everything after|with your|your price|das ergebnis|dem ergebnis|le résultat|el resultado|o resultado|il risultato|het resultaat|resultatet|wynik|результат|النتيجة|परिणाम
结果|結果|결과
"""

ORDINAL = """
a primeira|a segunda|a terceira|a última|birinci|das dritte|das erste|das letzte|das zweite|de derde|de eerste|de laatste|de tweede|den andra|den dritten|den ersten|den första|den sista|den tredje|den zweiten|der erste|der zweite|det andra|die zweite|druga|drugi|drugie|el primero|el segundo|el tercero|el último|het eerste|het tweede|ikinci|ikincisi|il primo|il secondo|il terzo|l'ultima|l'ultimo|la deuxième|la première|la prima|la primera|la seconda|la seconde|la segunda|la tercera|la terza|la última|le dernier|le deuxième|le premier|le second|le troisième|o primeiro|o segundo|o terceiro|o último|ostatni|pierwszy|sonuncusu|trzeci|üçüncü|второе|второй|вторую|первый|последний|третий|третью|الأخير|الأول|الثالث|الثاني|الثانية|आखिरी|तीसरा|तीसरे|दूसरा|दूसरी|दूसरे|पहला|पहले वाला
"""

REWORK = """
shorten|shorter|longer|lengthen|rephrase|reword|rewrite|redo|translate it|translate that|translate this|summarize it|summarize that|summarise it|summarise that|explain|elaborate|expand on|more detail|in more detail|simplify|polish|proofread|format it|continue|go on|rename|refactor|fix it|fix the|fix that|undo|revert|swap|reorder|remove it|delete it|add it|put it|turn it|turn that|turn this|make it sound|less formal|more formal|shorter version|try again|simpler|friendlier|again but|again, but|as a table|as a list|as json|as bullet points|in bullet points|bullet points|comment the code|add comments
kürze|kürzer|länger|formuliere|umformulieren|schreib es|schreibe es|schreib das|übersetze es|übersetze das|erkläre|erklär|fasse|ausführlicher|genauer|vereinfache|mach weiter|weiter|benenne|ersetze|ändere|einfacher|noch einmal|nochmal|als tabelle|als liste|förmlicher
raccourcis|plus court|plus long|reformule|réécris|traduis-le|traduis|explique|résume|détaille|simplifie|continue|renomme|remplace|modifie|en tableau|sous forme de
acorta|más corto|más corta|más largo|reformula|reescribe|tradúcelo|traduce|explica|resume|resúmelo|simplifica|continúa|renombra|reemplaza|cambia|en una tabla|más formal
encurte|mais curto|mais curta|mais longo|reformule|reescreva|traduza|explique|resuma|simplifique|continue|renomeie|substitua|mude|em uma tabela|mais formal|accorcia|più corto|più corta|più lungo|riformula|riscrivi|traduci|spiega|riassumi|semplifica|continua|rinomina|sostituisci|cambia|in una tabella|più formale
verkort|korter|langer|herschrijf|herformuleer|vertaal|leg uit|vat samen|vereenvoudig|ga door|hernoem|vervang|verander|korta|kortare|längre|skriv om|omformulera|översätt|förklara|sammanfatta|förenkla|fortsätt|byt namn|ersätt|ändra
skróć|krócej|krótszy|dłuższy|przeformułuj|przepisz|przetłumacz|wyjaśnij|streść|uprość|kontynuuj|zmień|zamień|сократи|короче|длиннее|перефразируй|перепиши|переведи|объясни|кратко|упрости|продолжай|переименуй|замени|измени
kısalt|daha kısa|daha uzun|yeniden yaz|çevir|açıkla|özetle|basitleştir|devam et|değiştir|اختصر|أقصر|أطول|أعد صياغة|أعد كتابة|ترجم|اشرح|لخص|بسّط|استمر|غيّر|छोटा|लंबा|फिर से लिखो|दोबारा लिखो|अनुवाद|समझाओ|समझाइए|संक्षेप|जारी रखो|बदलो|बदल दो
缩短|短一点|长一点|改写|重写|翻译|解释|总结|详细|简化|继续|重命名|替换|修改|短く|長く|書き直|言い換え|翻訳|訳して|説明|要約|詳しく|簡単に|続け|変更|置き換え|줄여|짧게|길게|다시 써|바꿔|번역|설명|요약|자세히|간단히|계속|수정
"""

MORE_NEEDED = """
more information|more info|more details|additional information|additional details|not enough information|insufficient information|enough information|need to know|i need more|we need more|please provide|could you provide|can you provide|could you please|can you tell|could you tell|could you clarify|can you clarify|please clarify|please specify|please share|do you know|let me know|lacks the|lacking the|missing the|is missing|are missing|does not provide|doesn't provide|do not provide|not provided|not specified|does not specify|unable to determine|cannot determine|can't determine|cannot be determined|cannot calculate|can't calculate|cannot be calculated|still need|we don't know|i don't know|don't have the|without knowing|without more|once i have|once you provide|it is unclear|it's unclear|hypothetical|for example, if|let's assume|if we assume|none of the functions|more context|to proceed
mehr informationen|weitere informationen|weitere angaben|bitte gib|bitte geben|bitte teile|kannst du mir sagen|könnten sie|fehlt|fehlen|nicht genug informationen|plus d'informations|plus de détails|pouvez-vous préciser|peux-tu préciser|veuillez préciser|veuillez fournir|il manque|pas assez d'informations
más información|más detalles|puedes indicar|podrías indicar|puedes decirme|podrías decirme|por favor proporciona|falta|faltan|mais informações|mais detalhes|você pode informar|poderia informar|por favor forneça|ulteriori informazioni|più informazioni|maggiori dettagli|potresti fornire|puoi fornire|potresti dirmi|manca|mancano
meer informatie|meer details|kun je aangeven|kunt u aangeven|ontbreekt|mer information|fler detaljer|kan du berätta|kan du ange|saknas|więcej informacji|więcej szczegółów|czy możesz podać|proszę podać|brakuje|больше информации|больше деталей|уточните|не хватает|недостаточно информации|недостаточно данных
daha fazla bilgi|daha fazla ayrıntı|belirtebilir misin|eksik|مزيد من المعلومات|المزيد من التفاصيل|هل يمكنك تحديد|يرجى تقديم|ناقص|अधिक जानकारी|और जानकारी|कृपया बताएं|क्या आप बता सकते|更多信息|更多细节|请提供|请告诉我|缺少|无法确定|もう少し情報|詳細を教えて|情報が必要|情報が足り|不足して|教えてください|더 많은 정보|추가 정보|알려주세요|부족합니다|필요합니다
"""

INSUFFICIENT = """
not enough information|insufficient information|enough information|more information|additional information|need to know|does not provide|doesn't provide|do not provide|not provided|not specified|does not specify|unable to determine|cannot determine|can't determine|cannot be determined|cannot calculate|can't calculate|cannot be calculated|cannot find|lacks the|lacking the|we don't know|without knowing|is unknown
nicht genug informationen|mehr informationen|weitere angaben|lässt sich nicht berechnen|pas assez d'informations|plus d'informations|il manque|no hay suficiente información|más información|falta información|não há informações suficientes|mais informações|non ci sono abbastanza informazioni|più informazioni|niet genoeg informatie|meer informatie|inte tillräckligt med information|mer information|za mało informacji|więcej informacji|недостаточно информации|недостаточно данных|больше информации|yeterli bilgi yok|daha fazla bilgi|معلومات كافية|مزيد من المعلومات|पर्याप्त जानकारी नहीं|अधिक जानकारी
信息不足|更多信息|无法确定|情報が足り|情報が不足|정보가 부족|더 많은 정보
"""

NEW_TOPIC = """
changing the subject|change of subject|on a different note|off topic|different subject|themawechsel|ganz was anderes|rien à voir|changeons de sujet|changement de sujet|cambiando de tema|cambio de tema|cambiando argomento|cambio argomento|mudando de assunto|iets heel anders|byter ämne|zmieniając temat|сменим тему|konuyu değiştirelim|لنغير الموضوع|נושא אחר
another question|a different question|different thing|different topic|new topic|new question|something else|unrelated|by the way|on another note|switching topics|moving on|next question|next task|new task|forget all that|forget everything|start over
andere frage|neue frage|neues thema|anderes thema|etwas anderes|übrigens|autre question|nouvelle question|autre sujet|autre chose|au fait|otra pregunta|otro tema|otra cosa|por cierto|outra pergunta|outro assunto|outra coisa|a propósito|un'altra domanda|altro argomento|un'altra cosa|a proposito
andere vraag|nieuw onderwerp|iets anders|trouwens|en annan fråga|annat ämne|något annat|förresten|inne pytanie|inny temat|coś innego|другой вопрос|другая тема|кстати|başka bir soru|başka bir konu|bu arada|سؤال آخر|موضوع آخر|بالمناسبة|שאלה אחרת|נושא אחר|एक और सवाल|दूसरा सवाल|वैसे
另一个问题|换个话题|另外一个|顺便问|別の質問|別の話|ところで|話は変わ|다른 질문|다른 주제|그런데|그건 그렇고
"""

JUST_DO_IT = """
just do it|just answer|go ahead|please proceed|do it now|just give me|don't ask|do not ask|stop asking|no questions|mach einfach|einfach machen|frag nicht|keine rückfragen|fais-le|vas-y|ne demande pas|hazlo ya|hazlo sin|no preguntes|faça logo|não pergunte|fallo e basta|non chiedere|doe het gewoon|niet vragen|gör det bara|fråga inte|po prostu zrób|nie pytaj|просто сделай|не спрашивай|sadece yap|sorma|افعلها فقط|لا تسأل|बस कर दो|मत पूछो|直接做|别问|不要问|とにかく|聞かないで|그냥 해|묻지 마
"""

ANAPHOR = """
it|that|this|das|davon|dazu|damit|ça|cela|ceci|esto|ese|esa|isso|isto|ciò|questo|quello|dat|detta|tego|это|şu|onu|bunu|ذلك
"""

ANAPHOR_OBJECT = """
eso|aquello|disso|nisso|इसे|इसमें|इससे|उसे|उसमें|इसका|इसको|этого|этому|этим|ondan|ona|buna|bundan|منه|إليه|عليه|それ|これを|그것|이것|거기에|它|这个数|那个数
"""

LISTS: dict[Act, str] = {
    "accept": ACCEPT,
    "correction": CORRECTION,
    "negated": NEGATED,
    "replaces": REPLACES,
    "restates": RESTATES,
    "reference": REFERENCE,
    "ordinal": ORDINAL,
    "rework": REWORK,
    "more_needed": MORE_NEEDED,
    "insufficient": INSUFFICIENT,
    "new_topic": NEW_TOPIC,
    "just_do_it": JUST_DO_IT,
    "anaphor": ANAPHOR + ANAPHOR_OBJECT,
    "anaphor_object": ANAPHOR_OBJECT,
    "operation": OPERATION,
    "why": WHY,
    "and": AND,
    "self": SELF,
    "polite": POLITE,
    "also": ALSO,
    "offer": OFFER,
    "states": STATES,
    "part": PART,
    "degree": DEGREE,
    "tongue": TONGUE,
    "you": YOU,
    "pointer": POINTER,
    "thanks": THANKS,
    "frustrated": FRUSTRATED,
    "subject": SUBJECT,
    "fails": FAILS,
    "faults": FAULTS,
    "relative": RELATIVE,
    "makes": MAKES,
    "artefact": ARTEFACT,
    "third": THIRD,
    "of_it": OF_IT,
    "version": VERSION,
}

_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_EDGE = 3
"""Tokens from either end of a text in which stems are looked for."""


def _index() -> tuple[
    dict[str, list[tuple[tuple[str, ...], Act]]], dict[str, list[Act]], list[tuple[re.Pattern[str], Act]]
]:
    spaced: dict[str, list[tuple[tuple[str, ...], Act]]] = {}
    stems: dict[str, list[Act]] = {}
    loose: list[tuple[re.Pattern[str], Act]] = []
    for act, entries in LISTS.items():
        lines = entries.strip().splitlines()
        phrases = {fold(phrase.strip()) for line in lines for phrase in line.split("|") if phrase.strip()}
        runs = sorted((p for p in phrases if _SPACELESS.match(p)), key=len, reverse=True)
        if runs:
            loose.append((re.compile("|".join(map(re.escape, runs))), act))
        for phrase in phrases.difference(runs):
            if phrase.endswith("*"):
                stems.setdefault(phrase[:-1], []).append(act)
                continue
            parts = tuple(tokens(phrase))
            spaced.setdefault(parts[0], []).append((parts, act))
    return spaced, stems, loose


_SPACED, _STEMS, _LOOSE = _index()
_LENGTHS = sorted(set(map(len, _STEMS)))


@lru_cache(4096)
def _stemmed(token: str) -> tuple[Act, ...]:
    """Acts whose stems a token begins with."""
    beginnings = [token[:length] for length in _LENGTHS if length <= len(token)]
    return tuple(act for beginning in beginnings for act in _STEMS.get(beginning, ()))


def acts(found: Sequence[str], text: str) -> dict[Act, tuple[int, ...]]:
    """Acts hinted at, with where: indexes into `found` (the text's tokens), or -1 for a match in a script
    without spaces. One pass over the tokens, whatever the number of entries.
    """
    hits: dict[Act, list[int]] = {}
    for index, token in enumerate(found):
        for parts, act in _SPACED.get(token, ()):
            if len(parts) == 1 or tuple(found[index : index + len(parts)]) == parts:
                hits.setdefault(act, []).append(index)
    last = len(found)
    for index in {*range(min(_EDGE, last)), *range(max(0, last - _EDGE), last)}:
        for act in _stemmed(found[index]):
            hits.setdefault(act, []).append(index)
    if not text.isascii() and _SPACELESS.search(text):
        for pattern, act in _LOOSE:
            if pattern.search(text):
                hits.setdefault(act, []).append(-1)
    return {act: tuple(sorted(set(where))) for act, where in hits.items()}
