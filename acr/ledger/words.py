# ruff: noqa: E501
"""Closed word lists of the ledger, for the languages ACR knows. Matched all together, as those of
`acr.reading.lexicon` are: users mix languages. A `|` or a line break stands between entries.
"""

import re


def entries(listed: str) -> tuple[str, ...]:
    """The entries of a list."""
    return tuple(part for line in listed.splitlines() for part in map(str.strip, line.split("|")) if part)


FUNCTION = frozenset(
    """
the a an to at in on of for with by from my our your his her its their it it's that this these those any
more please thing one ones there all some and or so just then again very only also let's i i'm i'd i'll we
we're we'd we'll you is are was were be been am have has had stay need needs want wants wanted would should
could can will do does did like get got make made put set use us me as per actually sorry no yes ok okay now
than but if he she they because since until not no non pas nicht kein keine não niet geen inte nie не ll ve
re d'un d'une insgesamt total altogether use under over about
der die das den dem des ein eine einen einem einer eines am um im ins in an auf für mit zu zum zur nach von
vom bei ohne bitte doch und oder wir ich es ist sind bin war soll sollen bleiben brauche brauchen brauch
haben habe möchte möchten will wollen nur noch mehr sich er sie ja nein lieber eigentlich nimm nehmen machen
le la les l un une des du de d à a au aux en pour avec sur chez ce cette mon ma mes notre et ou je j'ai nous
on est sont suis c'est il elle y s'il te vous plaît se sommes reste restons veux voudrais plutôt fait
el los las unos unas del al por para con mi mis su e o u yo es son somos soy está están se que lo más sí no
quiero queremos necesito necesitamos mejor final ya
os as um uma do da dos das em no na nos nas ao à às com meu minha eu é são fica ficamos preciso quero na
il lo gli i uno di della dei delle alla alle nel nella per su e sono siamo è restiamo voglio vorrei anzi più
het een van op aan te voor met ik wij is zijn ett en den det de av på till för jag vi är och
w na do z ze o po dla i jest są
в во на с со у к ко до для за из от по а и но мне нам нас мы я это есть был лучше уже место
bir için saat günü ile ve bu في من إلى على مع को का के की में से और एक मुझे
""".split()
)
"""Words that name no value: articles, prepositions, pronouns, and verbs that only say "is wanted"."""

STRONG = entries("""
make it|make that|make the|change that to|change it to|change the|i meant|we meant|scratch that|correction|wrong
let's say|let's do|let's make|move it|move that|move the|move this|in fact it is|switch to|update it|update the
sagen wir|machen wir|ich meinte|ich meine|korrektur|verschieb|verschiebe|verschieben|falsch|ändere|ändern|änder
disons|je voulais dire|mets-le|mets-la|déplace|déplace-le|correction|faux|change la|change le|change l
digamos|quise decir|corrección|cámbiala|cámbialo|cambia|muévela|muévelo|quis dizer|correção|muda|mude|move-a
diciamo|volevo dire|correzione|spostalo|spostala|sposta|cambia|ik bedoelde|ik bedoel|verplaats|maak er
jag menade|flytta|ändra|chciałem powiedzieć|miałem na myśli|przesuń|zmień|я имел в виду|я имела в виду
скажем|перенеси|перенесите|поправка|измени|demek istedim|değiştir|taşı|أقصد|غيّر|मेरा मतलब|बदलकर
""")
"""The user gives a value anew."""

WEAK = entries("""
actually|sorry|oops|on second thought|rather|instead|no|better|i misspoke|wait|hmm|after all
eigentlich|lieber|doch|stattdessen|nein|besser|entschuldigung|sorry|en fait|plutôt|finalement|pardon|non
en realidad|mejor|perdón|al final|no|na verdade|melhor|desculpa|afinal|in realtà|anzi|meglio|scusa
eigenlijk|liever|toch|egentligen|hellre|jednak|właściwie|лучше|нет|на самом деле|извини|всё-таки|все-таки
aslında|في الواقع|عفوا|असल में|नहीं
""")
"""The user may be giving a value anew, or may only be adding to it."""

BACK = entries("""
after all|back to|go back|put back|add back|undo|revert|restore|was fine|was better|as before
the other one|the original|back please
zurück|doch|wieder|rückgängig|wie vorher|quand même|remets|remettre|revenons|retour|comme avant
al final sí|volvamos|vuelve a|de vuelta|otra vez|como antes|afinal|de volta|volta a|volta para|como antes
alla fine|torniamo|torna a|di nuovo|come prima|terug|toch wel|weer|tillbaka|ändå|wracamy|jednak|z powrotem
верни|верните|всё-таки|все-таки|обратно|снова|geri|tekrar|yine|عد إلى|مرة أخرى|वापस|फिर से
""")
"""The user takes up again what was overruled."""

MORE = entries("""
also|too|another|extra|additional|plus|as well|and|each|every|both|other|second|first|more
auch|noch|außerdem|zusätzlich|weitere|jeder|jede|zweite|aussi|encore|en plus|autre|chaque|également
también|además|otro|otra|cada|más|também|além|outro|outra|anche|inoltre|altro|altra|ogni|ook|nog|också|till
też|jeszcze|także|тоже|также|ещё|еще|ayrıca|bir de|daha|أيضا|كذلك|भी|और
""")
"""The value comes on top of others."""

NEVER = entries("""
never|don't|do not|must not|mustn't|should not|shouldn't|cannot|can't|avoid|no|without|not|nothing|none
isn't allowed|won't|doesn't|do n't
nie|niemals|nicht|kein|keine|keinen|keiner|ohne|vermeide|vermeiden|jamais|pas|sans|aucun|aucune|évite|évitez|rien
nunca|jamás|no|sin|evita|ningún|ninguna|não|sem|nenhum|nenhuma|evite|mai|non|senza|niente|nessun|nessuna|evita
nooit|niet|geen|zonder|vermijd|aldrig|inte|utan|undvik|ingen|inga|nigdy|nie|bez|żaden|żadnych|unikaj
никогда|не|без|никакого|никаких|никакой|избегай|asla|yok|olmasın|hiç|istemiyorum|kullanma
لا|ليس|بدون|أبدا|تجنب|नहीं|बिना|मत|कभी
""")
"""The sentence says what must not be."""

MUST_NOT = entries("""
must not|mustn't|must never|should not|shouldn't|should never|may not|may never|isn't allowed|is not allowed
are not allowed|not allowed|can't have|cannot have|darf nicht|darf kein|darf keine|dürfen nicht|dürfen keine
soll nicht|soll kein|soll keine|sollte nicht|sollen nicht|auf keinen fall|keinesfalls|ne doit pas|ne doivent pas
ne doit jamais|en aucun cas|no debe|no deben|no puede|no pueden|en ningún caso|que no|não deve|não devem
não pode|em caso algum|que não|non deve|non devono|in nessun caso|che non|mag niet|mag geen|moet niet|får inte
ska inte|nie może|nie wolno|нельзя|не должен|не должна|не должно|не должны|olmamalı|olmasın|يجب ألا|لا يجب
""")
"""Forbid, wherever they stand."""
SUBJECTS = frozenset(
    """
i he she it we they my his her our their the this that these those there two one both a an ich er sie es wir ihr
mein meine unser unsere der die das dieser diese ein eine je j il elle on nous mon ma mes le la les l ce cette
un une c'est yo él ella nosotros mi el los las este esta eu ele ela nós meu minha os as io lui lei noi mio mia lo
gli questo questa ik hij zij ze mijn de het een jag han hon vi min det den ett я он она мы мой моя это ben biz
bu bunu أنا هو هي نحن मैं वह हम यह मेरा
""".split()
)
"""At the beginning of a clause: it tells what is, and orders nothing ("he never answered")."""

ALWAYS = entries("""
in this chat|in this conversation|for all|for everything|throughout|always|from now on|in every|every time|whenever|by default|in general|i prefer|we prefer|preferably|as a rule
in diesem chat|in diesem gespräch|ab sofort|künftig|immer|ab jetzt|von nun an|jedes mal|grundsätzlich|bevorzugt|am liebsten|dans ce chat|dans cette conversation|dorénavant|toujours|désormais|à chaque fois
je préfère|de préférence|en este chat|en esta conversación|en adelante|siempre|a partir de ahora|cada vez|prefiero|sempre|a partir de agora|prefiro
d'ora in poi|ogni volta|preferisco|altijd|vanaf nu|voortaan|elke keer|alltid|från och med nu|hellre
zawsze|od teraz|za każdym razem|wolę|всегда|отныне|каждый раз|предпочитаю|her zaman|bundan sonra|her seferinde
دائما|من الآن فصاعدا|في كل مرة|أفضل|हमेशा|अब से|हर बार
""")
"""The sentence is to hold from now on."""

EVER = frozenset(
    "never don't niemals nie jamais nunca jamás nooit aldrig nigdy никогда asla أبدا لا कभी mai".split()
)
"""At the beginning of a sentence, it says how things are to be done from now on."""

CONFIRMS = entries("""
sure|done|noted|booked|confirmed|updated|changed|moved|added|removed|renamed|corrected|reserved|scheduled
of course|certainly|got it|understood|ok|okay|will do|absolutely|all set|right
gern|gerne|erledigt|notiert|gebucht|bestätigt|geändert|eingetragen|verschoben|natürlich|verstanden|in ordnung
bien|d'accord|c'est fait|c'est noté|noté|réservé|confirmé|modifié|déplacé|ajouté|entendu|bien sûr|compris
listo|hecho|anotado|reservado|confirmado|cambiado|cambiada|añadido|añadida|claro|de acuerdo|entendido|perfecto
feito|marcada|marcado|anotado|reservado|confirmado|alterado|claro|certo|entendido
fatto|va bene|prenotato|confermato|annotato|certo|capito|gedaan|genoteerd|geboekt|bevestigd|natuurlijk|begrepen
klart|noterat|bokat|bekräftat|ändrat|självklart|gotowe|zapisane|zarezerwowane|potwierdzone|oczywiście|rozumiem
хорошо|готово|записал|забронировано|подтверждено|изменил|убрал|добавил|конечно|понял|понятно
tamam|yaptım|ayırttım|onaylandı|tabii|elbette|anladım|حسنا|تم|بالتأكيد|مفهوم|ठीक है|हो गया|ज़रूर|समझ गया
""")
"""The assistant takes up what the user said."""

SPACELESS_CONFIRMS = entries("""
好的|已|明白|没问题|完成|はい|かしこまりました|承知|わかりました|しました|了解|네|예약했습니다|알겠습니다|변경했습니다|완료
""")
SPACELESS_NEVER = entries("""
不要|不能|不可|不得|别|切勿|禁止|不吃|避免|没有|避けて|しないで|使わないで|なし|禁止|いらない|ないで|하지 마|마세요|말아|없이|금지|피해
""")
SPACELESS_ALWAYS = entries(
    "以后|今后|今後|总是|始终|以后都|每次|从现在起|いつも|常に|これから|毎回|항상|앞으로|매번|언제나"
)
SPACELESS_STRONG = entries(
    "改成|改到|改为|换成|我的意思是|更正|变更|に変更|に変えて|にして|にしてください|訂正|으로 바꿔|로 바꿔|로 변경|정정"
)
SPACELESS_WEAK = entries("其实|还是|应该是|实际上|やっぱり|実は|사실|역시")
SPACELESS_BACK = entries("还是|恢复|改回|加回|やはり|やっぱり|元に戻|戻して|다시|원래대로|되돌려")
SPACELESS_MORE = entries("还要|另外|也|再加|も|さらに|追加|도|추가|더")

DAYS = entries("""
monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays
fridays|saturdays|sundays|tomorrow|today|tonight
montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|montags|dienstags|mittwochs
donnerstags|freitags|samstags|sonntags|heute|morgen|übermorgen
lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain|aujourd'hui
lunes|martes|miércoles|jueves|viernes|sábado|domingo|hoy
segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|amanhã|hoje
lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|domani|oggi
maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|vandaag
måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|imorgon|idag
poniedziałek|wtorek|środa|środę|czwartek|piątek|sobota|sobotę|niedziela|niedzielę|jutro|dzisiaj
понедельник|вторник|среда|среду|четверг|пятница|пятницу|суббота|субботу|воскресенье|завтра|сегодня
pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar|yarın|bugün
الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد|غدا|اليوم
सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार|रविवार
""")
CLOCK = frozenset("noon midday midnight mittag mitternacht midi minuit mediodía medianoche полдень".split())
"""Times of day without a figure."""
COUNTS = frozenset(
    """
two three four five six seven eight nine ten eleven twelve zwei drei vier fünf sechs sieben acht neun zehn elf
zwölf deux trois quatre cinq sept huit neuf dix onze douze dos tres cuatro cinco seis siete ocho nueve diez dois
duas três quatro sete oito nove dez due tre quattro cinque sei sette otto nove dieci twee drie vijf zes två tre
fyra fem sex dwa dwie trzy cztery pięć два две три четыре пять шесть iki üç dört beş
""".split()
)
"""Numbers as words; they count only in front of what they count."""

SPACELESS_DAYS = r"(?:星期|周|礼拜)[一二三四五六日天]|[月火水木金土日]曜日?|[월화수목금토일]요일|今天|明天|后天|明日|今日|내일|오늘"

MONTHS = entries("""
january|february|march|april|may|june|july|august|september|october|november|december
jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec
januar|februar|märz|mai|juni|juli|oktober|dezember
janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre
enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre
janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro
gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre
januari|februari|maart|mei|augustus|augusti|maj
stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia
января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря
ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık
يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر
जनवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर
""")

CURRENCIES = entries("""
dollars?|pounds?|euros?|usd|eur|gbp|bucks|francs?|yen|yuan|rubles?|rupees?|pesos?|dólares|reais|kronor|zł|złotych
рублей|рубля|долларов|евро|lira|tl|درهم|دولار|يورو|रुपये
""")

INSTEAD = entries("""
instead of|rather than|in place of|better than|statt|anstatt|anstelle von|besser als|au lieu de|au lieu du
au lieu d|à la place de|à la place du|plutôt que|en vez de|en lugar de|mejor que|em vez de|em lugar de
invece di|invece del|invece della|al posto di|al posto del|in plaats van|liever dan|istället för|zamiast|вместо
بدلا من|بدل
""")
"""Stand before what no longer holds; what holds stands before them, or after a comma."""

DROP = entries("""
forget about|forget|drop|skip|scratch|cancel|remove|leave out|leave off|never mind|take out|take off|get rid of|ditch|omit
streich|streiche|vergiss|lass|entferne|storniere|storniert|lösche|nimm raus|oublie|oubliez|annule|annulez|enlève|enlevez|retire
supprime|olvida|quita|cancela|elimina|saca|esquece|esqueça|tira|cancele|dimentica|togli|annulla
vergeet|schrap|annuleer|verwijder|glöm|ta bort|avboka|stryk|zapomnij o|usuń|anuluj|убери|уберите|отмени
отмените|забудь про|iptal et|çıkar|ألغ|احذف
""")
"""Orders that stand before what is taken back."""

NEEDLESS = entries("""
no need for|won't need|will not need|don't need|do not need|don't want|do not want|no longer need|no longer want
brauche keinen|brauche keine|brauche kein|brauchen keinen|brauchen keine|brauchen kein
pas besoin de|pas besoin du|pas besoin d|plus besoin de|plus besoin du|plus besoin d|ya no necesito
ya no necesitamos|no necesito|no necesitamos|não preciso de|não preciso da|não preciso do|já não preciso de
non serve più|non serve|non mi serve|nie potrzebuję|не нужен|не нужна|не нужно|не надо|لا أحتاج|لا نحتاج
""")
"""Stand before what is not wanted any more."""

LEADS = frozenset(
    """
please let's let us just then and but ok okay so hmm no actually you can could we now oh well maybe yes
bitte dann und aber also kannst du können sie puis et alors s'il te plaît vous por favor y entonces e per
favore poi alsjeblieft en dan tack och пожалуйста и тогда но lütfen ve من فضلك
""".split()
)
"""May stand before an order in its clause."""
INDEFINITE = frozenset("a an another ein eine einen un une una um uma uno een en ett".split())

UNWANTED = entries("""
without|ohne|sans|sin|sem|senza|niente|zonder|utan|bez|без|بدون
no|not|kein|keine|keinen|nicht|pas de|pas d|não|non|geen|niet|inga|ingen|inte|nie|не|don't|do not
""")
"""Stand before what is taken back, if it had been asked for; before what must not be, if not."""

DROPPED = entries("""
isn't needed|is not needed|aren't needed|are not needed|isn't necessary|is not necessary|is no longer needed
are no longer needed|doesn't work|does not work|don't work|won't work|is off|can go|are off|is not important|isn't important|doesn't matter|does not matter
ist nicht wichtig|ist egal|ist nicht nötig|ist doch nicht nötig|ist nicht mehr nötig|sind nicht nötig|sind doch nicht nötig
brauche ich nicht|brauchen wir nicht|brauche ich nicht mehr|brauchen wir nicht mehr|brauchen wir doch nicht
brauche ich doch nicht|passt nicht|passt doch nicht|geht nicht|klappt nicht|fällt weg|n'est pas important|n'est plus nécessaire
n'est pas nécessaire|ne va pas|ne convient pas|no importa|ya no hace falta|no hace falta|ya no es necesario|ya no|no va
não importa|não é preciso|já não é preciso|não é necessário|non serve più|non serve|non è necessario|non importa|non è importante|non va bene
is niet nodig|hoeft niet|behövs inte|nie jest potrzebny|nie jest potrzebna|nie jest potrzebne
уже не нужно|уже не нужен|уже не нужна|больше не нужно|больше не нужен|больше не нужна|не нужно|не нужен
не нужна|не нужны|не надо|не важен|не важна|не важно|не подходит|gerek yok|istemiyorum|iptal|gerekmiyor|नहीं चाहिए|की ज़रूरत नहीं|रद्द
""")
"""Stand after what is taken back."""

DROPPED_BY_SCRIPT = (
    r"(?:不用|取消|去掉|删掉|不需要|不要|不想要)(?P<old>[^，。！？、\n]{1,20}?)(?:了|吧)?(?=$|[，。！？、])",
    r"(?P<old>[^，。！？、\n]{1,20}?)(?:就)?(?:取消|不用|不要|不需要)(?:了|吧)?(?=$|[，。！？、])",
    r"(?P<old>[^、。！？\n]{1,20}?)[はがを](?:いりません|要りません|不要|いらない|必要ありません|やめ|キャンセル|なし)",
    r"(?P<old>[^,.!?\n]{1,20}?)[은는이가을를]?\s?(?:필요\s?없|취소|빼)",
)
REPLACED_BY_SCRIPT = (
    r"不是(?P<old>[^，。！？、\n]{1,20})[，,、\s]?(?:而)?是(?P<new>[^，。！？\n]{1,30})",
    r"(?P<new>[^，。！？\n]{1,30})[，,]?(?:而不是|不是)(?P<old>[^，。！？、\n]{1,20})",
    r"把(?P<old>[^，。！？、\n]{1,20})(?:改成|改为|换成)(?P<new>[^，。！？\n]{1,30})",
    r"用(?P<new>[^，。！？\n]{1,30})(?:代替|替换|替代)(?P<old>[^，。！？、\n]{1,20})",
    r"(?P<old>[^、。！？\n]{1,20})(?:ではなく|じゃなくて|ではなくて|の代わりに|をやめて)、?(?P<new>[^。！？\n]{1,30})",
    r"(?P<old>[^,.!?\n]{1,20})\s?(?:말고|대신|이 아니라|가 아니라)\s?(?P<new>[^.!?\n]{1,30})",
)

AND = frozenset("and und et y e en och i и ve و और but aber mais pero mas ma maar men ale но".split())
"""Join clauses."""

CHANGES = entries("""
change|switch|swap|replace|ändere|ersetze|tausche|remplace|remplacez|cambia|cambie|reemplaza|substitui
substitua|troca|sostituisci|vervang|verander|byt|ersätt|zamień|zmień|замени|замените
""")
"""Orders that name what goes, then what comes after one of `INTO`."""
INTO = frozenset("to with for by zu auf durch gegen par por a com con door in till mot med na на".split())
NOT = frozenset("not nicht pas no não non niet inte nie не geen kein keine keinen".split())
BUT = frozenset("but sondern mais sino mas ma maar utan lecz а".split())
JOINS = frozenset("and und et y e а en och но".split())
"""May stand between a comma and the negation: "в субботу, а не в пятницу"."""
IN_PLACE = entries("yerine|के बजाय")
"""Stand after what no longer holds; what holds follows."""

PARTICLES = re.compile(
    r"です|ます|でした|してください|ください|お願いします|[はがをにでのとも]|個?人?[个位名人]"
    r"|我们|我|请|是|要|来|吧|了|的|个|位|晚|杯|张|天|住"
    r"|으로|로|이에요|예요|입니다|주세요|줘|[은는이가을를에명]"
)
"""What says nothing about a value, in scripts without spaces: particles, counters, politeness."""

PROPOSES = entries("""
shall i|should i|should we|shall we|would you like|do you want|i suggest|i'd suggest|i recommend|i'd recommend
i propose|how about|what about|let's|we could|i can|i could|then i suggest|my suggestion|ok with you|is that ok
soll ich|sollen wir|möchtest du|möchten sie|ich schlage|ich empfehle|mein vorschlag|wie wäre|wir könnten
je réserve|je propose|je vous propose|je te propose|je recommande|voulez-vous|veux-tu|on pourrait|que dirais-tu
reservo|propongo|te propongo|sugiero|recomiendo|quieres|desea|podríamos|qué tal|sugiro|proponho|posso|quer que
propongo|suggerisco|consiglio|vuoi|vuole|potremmo|che ne dici|ik stel voor|zal ik|wil je|jag föreslår|ska jag
vill du|proponuję|czy mam|może|предлагаю|советую|забронировать|давайте|хотите|öneririm|ayırtayım|ister misin
أقترح|هل تريد|क्या मैं|सुझाव
""")
"""The assistant proposes something."""
SPACELESS_PROPOSES = entries(
    "要预订吗|要不要|建议|推荐|可以吗|好吗|いかがですか|ましょうか|提案|おすすめ|어떠세요|할까요|추천|제안"
)

AGREES = entries("""
yes|yes please|yep|yeah|sure|ok|okay|fine|agreed|deal|go ahead|please do|sounds good|that works|perfect|great
let's do that|ja|ja gerne|gern|gerne|passt|einverstanden|genau|klar|prima|oui|d'accord|parfait|ça marche
volontiers|sí|si|vale|de acuerdo|perfecto|claro|sim|perfeito|combinado|sì|va bene|perfetto|certo|akkoord|prima
graag|låter bra|gärna|tak|zgoda|dobrze|да|хорошо|согласен|согласна|давай|давайте|договорились|evet|tamam|olur
نعم|حسنا|موافق|हाँ|हां|ठीक है
""")
"""The user agrees, at the beginning of a turn."""
REFUSALS = frozenset(
    "no nope not nein nicht non não nee nej nie нет не hayır لا नहीं 不 不是 不要 いいえ 아니요".split()
)
"""A turn that begins with one of these does not agree, however politely it goes on."""
SPACELESS_AGREES = entries(
    "好的|好|可以|行|没问题|就这样|はい|お願いします|それで|いいです|네|좋아|그래|그렇게 해"
)

OR = ("or", "oder", "ou", "o", "oppure", "of", "eller", "albo", "czy", "lub", "или", "veya", "أو", "या")

_NTH = (
    "first former erste ersten erster erstes premier première primero primera primeiro primeira primo prima eerste"
    " första pierwszy pierwsza первый первая первое birinci birincisi الأول الأولى पहला पहली",
    "second latter zweite zweiten zweiter zweites deuxième second seconde segundo segunda secondo seconda tweede"
    " andra drugi druga второй вторая второе ikinci ikincisi الثاني الثانية दूसरा दूसरी",
    "third dritte dritten dritter drittes troisième tercero tercera terceiro terceira terzo terza derde tredje"
    " trzeci trzecia третий третья третье üçüncü üçüncüsü الثالث الثالثة तीसरा तीसरी",
)
ORDINALS = {
    **{word: index for index, listed in enumerate(_NTH) for word in listed.split()},
    **dict.fromkeys(
        "last letzte letzten letzter letztes dernier dernière último última ultimo ultima laatste sista ostatni"
        " ostatnia последний последняя sonuncu الأخير الأخيرة आखिरी".split(),
        -1,
    ),
    **dict.fromkeys(
        "other andere anderen anderer anderes autre otro otra outro outra altro altra другой другая другое diğeri"
        " الآخر الأخرى".split(),
        -2,
    ),
}
"""Which one: from 0; -1 the last, -2 the other."""
SPACELESS_ORDINALS = {
    **dict.fromkeys(["第一个", "第一個", "最初の", "一つ目", "1つ目", "1番目", "첫 번째", "첫번째"], 0),
    **dict.fromkeys(["第二个", "第二個", "二つ目", "2つ目", "2番目", "二番目", "두 번째", "두번째"], 1),
    **dict.fromkeys(["第三个", "第三個", "三つ目", "3つ目", "3番目", "三番目", "세 번째", "세번째"], 2),
    **dict.fromkeys(["最后一个", "最後の", "마지막"], -1),
    **dict.fromkeys(["另一个", "另外一个", "もう一つ", "別の方", "다른 거", "다른 것"], -2),
}
SPACELESS_PICKS = re.compile(
    r"我?[选選要用]|就|吧|的|请|[はがをにで]|お願いします|ください|します|です|です|거|것|걸?로|할게요?|주세요|을|를|[\s、。，！,.!]"
)
"""May stand beside an ordinal that picks an option, in scripts without spaces."""
PICKS = frozenset(
    """
option quedo queda take takes pick choose prefer go i'd like book nehme nehmen nimm wähle möglichkeit buch prends prendrai
choisis préfère celui celle elijo prefiero tomo escolho prefiro scelgo prendo preferisco neem kies tar väljer
wybieram biorę беру возьму выбираю вариант seçiyorum olsun أختار
""".split()
)
"""May stand beside an ordinal that picks an option."""
