"""Orders that may be given twice: what they say of the result stays true once it is done.

"Leave out those born before 1970", "round to 2 digits" and "at least 10" describe what is wanted: said again
beside an answer that has it they change nothing. "Double it", "one row more", "swap the columns" and "remove
the last line" are steps from what is there, and would be done again. Only the first kind is listed; an order
of which a word is left that these lists do not know counts as the second.
"""

import re

from acr.reading.lexicon import acts
from acr.text import fold, tokens

LASTING = """
leave out|round the result|round to|round it to|round|keep the|keep only|keep just|keep all|keep every|keep each|remove all|remove every|remove any|remove each|delete all|delete every|delete any|drop all|drop every|drop any|drop each|cut all|strike all|take out all|take out every|take out any
lass|lasse|lassen|weglassen|raus|runde|runden|gerundet|behalte die|behalte nur|behalte alle|entferne alle|entfern alle|lösche alle|lösch alle|streiche alle|streich alle
enlève tous|enlève toutes|supprime tous|supprime toutes|supprimer tous|supprimer toutes|retire tous|retire toutes|garde les|garde seulement|garde uniquement|ne garde que|arrondis|arrondir|arrondi|arrondie
elimina todos|elimina todas|quita todos|quita todas|borra todos|borra todas|saca todos|saca todas|mantén el|mantén la|mantén solo|redondea|redondear|redondeado
elimina tutti|elimina tutte|togli tutti|togli tutte|rimuovi tutti|rimuovi tutte|cancella tutti|cancella tutte|tieni solo|mantieni solo|mantieni il|arrotonda|arrotondare|arrotondato
remova todos|remova todas|remove todos|remove todas|tira todos|tira todas|apaga todos|apaga todas|mantém só|mantém apenas|mantenha só|mantenha apenas|mantenha a|arredonda|arredonde|arredondar
laat|laten|verwijder alle|haal alle|schrap alle|houd alleen|houd de|rond|ronden|ta bort alla|stryk alla|behåll bara|behåll endast|behåll ordningen|avrunda
usuń wszystkie|usuń każdy|usuń każdą|wyrzuć wszystkie|skreśl wszystkie|zostaw tylko|zaokrąglij|удали все|убери все|удали каждый|удали каждую|вычеркни все|оставь только|оставить только|округли|округлить|округляй
yuvarla|احذف كل|أزل كل|أبق فقط|מחק את כל|תמחק את כל|מחק כל
只保留|保留所有|去掉所有|去掉全部|删掉所有|删除所有|删除全部|四舍五入|だけ残して|すべて削除|全て削除|すべて外して|丸めて|모두 빼|모두 삭제|모두 지워|만 남겨|반올림
"""
"""Orders that speak of all things of a kind, or set what they order. Without those that may mean one of
several: "remove the line" is done again as often as it is said."""

LIMIT = """
more than|less than|or more|or less|mehr als|weniger als|oder mehr|oder weniger|plus de|plus que|moins de|moins que|ou plus|ou moins|au plus|au moins|más de|más que|menos de|menos que|o más|o menos|al menos|più di|meno di|o più|o meno|almeno|mais de|mais do que|menos do que|ou mais|ou menos|pelo menos
meer dan|minder dan|of meer|of minder|mer än|mindre än|eller mer|eller mindre|mniej niż|lub mniej|более чем|менее чем|не более|не менее|и более|и менее|или более|или менее|أكثر من|أقل من|أو أكثر|أو أقل|से ज़्यादा|से ज्यादा|से कम|या ज़्यादा|या कम|או יותר|או פחות
より大き|より小さ|より多|より少|より前|より後|より上|より下
"""
"""A comparison, where there is a figure too. "More" alone wants more than there is."""

ONCE = """
first|second|third|fourth|last|next|previous|again|another|other|others|one|half|some|few|back|top|bottom|instead|once
erste|ersten|erster|erstes|zweite|zweiten|zweiter|zweites|dritte|dritten|letzte|letzten|letzter|letztes|nächste|nächsten|vorletzte|vorletzten|vorige|vorigen|noch|wieder|nochmal|ein|eine|einen|einem|eines|andere|anderen|hälfte|paar|oben|unten
premier|première|premiers|premières|deuxième|second|seconde|troisième|dernier|dernière|derniers|dernières|encore|nouveau|un|une|autre|autres|moitié|suivant|suivante|précédent|précédente
primer|primera|primero|primeros|primeras|segundo|segunda|tercer|tercera|tercero|último|última|últimos|últimas|otra|otro|vez|una|uno|mitad|siguiente|anterior
primo|prima|primi|prime|secondo|seconda|terzo|terza|ultimo|ultima|ultimi|ultime|ancora|altro|altra|metà|prossimo|prossima|precedente
primeiro|primeira|terceiro|terceira|outro|outra|novamente|um|uma|metade|próximo|próxima
eerste|tweede|derde|laatste|volgende|vorige|nog|weer|opnieuw|een|helft|första|andra|tredje|sista|nästa|förra|igen|en|ett|annan|hälften
pierwszy|pierwszą|pierwsze|drugi|drugą|drugie|trzeci|trzecią|ostatni|ostatnią|ostatnie|następny|znowu|jeszcze|jeden|jedną|połowę
первый|первую|первое|первые|второй|вторую|второе|третий|третью|последний|последнюю|последнее|последние|следующий|снова|ещё|еще|один|одну|половину|другой
ilk|birinci|ikinci|üçüncü|son|sonraki|tekrar|bir|daha|yarısı|الأول|الأولى|الثاني|الثانية|الثالث|الأخير|الأخيرة|مرة|نصف|آخر|واحد
पहला|पहली|पहले|दूसरा|दूसरी|तीसरा|आखिरी|फिर|एक|और|आधा|הראשון|הראשונה|השני|השנייה|האחרון|האחרונה|שוב|עוד|אחד|אחת|חצי
第|最后|上一|下一|再|又|一个|一行|一列|另|最初|最後|目を|もう|一つ|첫|번째|마지막|다시|하나|또|더
"""
"""Places, one of several, and repetition: what is meant is another thing each time."""

_ALONE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def pattern(listed: str) -> re.Pattern[str]:
    """Entries of a list, folded, as whole words; anywhere in scripts without spaces. The longest first."""
    phrases = {fold(phrase) for line in listed.split("\n") for phrase in line.split("|") if phrase}
    parts = [
        re.escape(phrase) if _ALONE.match(phrase) else rf"(?<!\w){re.escape(phrase)}(?!\w)"
        for phrase in sorted(phrases, key=len, reverse=True)
    ]
    return re.compile("|".join(parts))


_LASTING, _LIMIT, _ONCE = map(pattern, (LASTING, LIMIT, ONCE))
_ANY = re.compile(r"(?<!\w)an? (?!\d)")
"""One of several in English; a preposition elsewhere ("a 2 cifre")."""
_FIGURE = re.compile(r"\d")
_BY = re.compile(
    r"(?<!\w)(?:by|um|met|med|con) (?:more|less|mehr|weniger|meer|minder|mer|mindre|más|menos)(?!\w)"
)
"""Changes by more than a figure."""
_STEPS = frozenset(
    {"operation", "rework", "degree", "ordinal", "anaphor", "relative", "fails", "faults", "why"}
)


def lasts(text: str) -> bool:
    """Whether an order or a degree in a text stays true once it is done, so that it may be said again.

    False where a word of it is not known to be of that kind.
    """
    folded = fold(text)
    rest = _LASTING.sub(" ", folded)
    if rest != folded and (_ONCE.search(rest) or _ANY.search(rest)):
        return False
    if _FIGURE.search(rest) and not _BY.search(rest):
        rest = _LIMIT.sub(" ", rest)
    return rest != folded and _STEPS.isdisjoint(acts(tokens(rest), rest))
