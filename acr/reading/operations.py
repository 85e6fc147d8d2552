"""More closed word lists, sixteen languages at once: what people do to a text or to a number they were shown,
and the small words that tell a request from a fact.

An entry that ends in `*` is a stem: it matches any token that begins with it, since imperatives carry endings
and pronouns ("multiplicalo", "réstale"). Stems count only near the edges of a turn, where verbs of orders
stand. Entries in scripts without spaces match anywhere.
"""

OPERATION = """
add|append|insert|remove|delete|drop|take out|take off|leave out|cut|strike|swap|switch|replace|exchange|move|push|put|bring|change|rename|call it|turn|convert|translate|shorten|lengthen|expand|rephrase|reword|simplify|polish|continue|undo|redo|repeat|keep|merge|split|divide|multiply|subtract|deduct|double|triple|halve|round|scale|break down|go with|use that|use those|show me|tell me more|compare
füg*|hinzu|entfern*|lösch*|streich*|lass*|nimm|tausch*|ersetz*|verschieb*|setz*|änder*|benenn*|nenn*|wandle*|übersetz*|kürz*|verlänger*|vereinfach*|formulier*|wiederhol*|behalt*|teil*|multiplizier*|zieh*|addier*|subtrahier*|verdoppl*|verdreifach*|halbier*|rund*|rechne*|schlag*|weglassen|raus|zeig*|vergleich*
ajout*|insèr*|enlev*|enlèv*|supprim*|retir*|remplac*|échang*|invers*|déplac*|mets|mettez|chang*|renomm*|convert*|tradui*|raccourci*|rallong*|simplifi*|reformul*|continu*|répèt*|gard*|fusionn*|divis*|multipli*|soustra*|doubl*|tripl*|arrondi*|développ*|compar*
añad*|agreg*|inserta*|quita*|quíta*|elimin*|borra*|saca*|reempla*|sustitu*|intercambi*|mueve*|muév*|pon|ponle|ponlo|cambia*|cámbia*|renombra*|conviert*|conviért*|traduc*|tradúc*|acorta*|acórta*|alarga*|simplific*|repit*|sigue|mantén*|divid*|divíd*|multiplic*|multiplíc*|resta*|résta*|suma*|súma*|duplic*|redonde*|desarroll*|compar*
aggiung*|inseri*|togli*|elimin*|rimuov*|cancell*|sostitui*|scambi*|spost*|metti*|cambia*|cambiale|rinomin*|convert*|traduc*|accorci*|allung*|semplific*|riformul*|ripet*|tieni|mantieni|divid*|moltiplic*|sottra*|raddoppi*|triplic*|dimezz*|arrotond*|svilupp*|confront*
acrescent*|adicion*|insir*|tira*|remov*|apag*|substitu*|troc*|move*|põe|coloc*|mud*|renome*|convert*|traduz*|encurt*|along*|simplific*|reformul*|repet*|mant*|divid*|multipli*|subtra*|soma*|duplic*|arredond*|desenvolv*
voeg*|toe|verwijder*|haal*|schrap*|laat*|vervang*|verwissel*|verplaats*|zet|verander*|hernoem*|noem|vertaal*|verkort*|vereenvoudig*|herhaal*|houd*|deel*|vermenigvuldig*|trek*|verdubbel*|halveer*|rond*|vergelijk*
lägg*|ta bort|stryk*|byt*|ersätt*|flytta*|sätt*|ändra*|döp*|gör om|översätt*|korta*|förläng*|förenkla*|upprepa*|behåll*|dela*|multiplicera*|dra av|dubbla*|halvera*|avrunda*|jämför*|räkna*
dodaj*|usuń*|wyrzuć*|skreśl*|zamień*|zastąp*|przenieś*|zmień*|przetłumacz*|skróć*|wydłuż*|uprość*|powtórz*|zostaw*|podziel*|pomnóż*|odejmij*|podwój*|zaokrąglij*|porównaj*
добав*|прибав*|удал*|убер*|вычеркн*|замен*|поменя*|перенес*|постав*|измен*|переимену*|перевед*|сократ*|удлин*|упрост*|повтор*|остав*|раздел*|умнож*|вычти|отним*|удво*|округл*|сравн*
ekle*|sil*|çıkar*|kaldır*|değiştir*|taşı*|koy*|çevir*|kısalt*|uzat*|basitleştir*|tekrarla*|bırak*|böl*|çarp*|topla*|ikiye|yuvarla*|karşılaştır*|yaz
أضف*|احذف*|أزل*|استبدل*|بدّل*|انقل*|ضع*|غيّر*|غير|ترجم*|اختصر*|اجعل*|كرر*|أبق*|اقسم*|اضرب*|اطرح*|ضاعف*|قرّب*|اكتب*
जोड़*|हटा*|बदल*|निकाल*|छोटा|लंबा|भाग|गुणा|घटा*|दोगुना|लिखो|रखो|אורך|מחק*|תמחק*|תוסיף*|הוסף*|החלף*|תחליף*|במקום|תכתוב*|קצר|תקצר*|חלק*|כפול*|תרגם*
去掉|删|换成|换个|换一|改成|改为|改名|改一|加上|加入|加一|移到|调换|除以|乘以|乘|减去|减掉|翻倍|四舍五入|展开|保留|比较|再加|再减|再除
削|消して|外して|取って|足して|加えて|入れ替え|入れて|替えて|変えて|移して|割って|割ると|掛けて|かけて|引いて|引くと|足すと|倍にして|丸めて|残して|比べて|触れない
빼|지워|삭제|넣어|추가|바꾸|고쳐|옮겨|나눠|나누|곱해|곱하|더해|더하|두 배|반올림|남겨|비교
"""

WHY = """
why|how come|how did|where did|where does|are you sure|isn't|wasn't|doesn't|warum|wieso|weshalb|woher|wie kommst|pourquoi|d'où|comment as-tu|por qué|de dónde|de onde|onde foste|porque é que|por que|perché|come mai|da dove|waarom|vanwaar|varför|varifrån|dlaczego|skąd|почему|откуда|зачем|neden|niçin|niye|nereden|لماذا|من أين|क्यों|कहाँ से|למה|מדוע|מאיפה
为什么|怎么|为何|なぜ|どうして|왜|어째서
"""

AND = """
and|but|or|now|also what|what about|how about|und|aber|oder|et|mais|ou|y|pero|e|ed|ma|mas|en|maar|och|men|ale|и|а|но|ve|ama|peki|و|وماذا|और|ו
那|那么|でも|では|그럼|그리고
"""

SELF = """
i|i'm|i've|i'd|i'll|we|we're|we've|we'd|we'll|my|our|me|us|ich|wir|mein*|unser*|uns|mir|je|j'ai|j'habite|nous|mon|ma|mes|notre|nos|yo|mi|mis|nuestr*|nos|somos|vivo|gano|tengo|tenemos|vamos|queremos|quiero|io|mia|mio|miei|mie|nostr*|siamo|abbiamo|abito|eu|meu|minha|nosso*|nossa*|temos|moro|ik|wij|we|mijn|ons|onze|jag|vi|min|mitt|mina|vår*|mój|moj*|mam|mamy|jestem|я|мы|мой|моя|мои|наш*|у нас|мне|нас|bizim|benim|biz|ben|أنا|نحن|لدينا|لدي|أريد|يمكنني|मैं|हम|मेरे|मेरी|हमारे|אנחנו|אני|לנו|שלי
我|我们|私|僕|母|うち|나는|저는|우리|제
"""

POLITE = """
could you|can you|would you|will you|could we|can we|may i ask|please could|kannst du|könntest du|können sie|könnten sie|würdest du|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|tu peux|puedes|podrías|puede|podría|potresti|puoi|può|potrebbe|você pode|poderia|podes|podias|kun je|kunt u|zou je|kan du|kunde du|skulle du|czy możesz|możesz|mógłbyś|mogłabyś|можешь|можете|не могли бы|мог бы|misin|mısın|musun|müsün|هل يمكنك|ممكن|क्या आप|क्या तुम|תוכל|אפשר
能不能|可不可以|能否|可以吗|てもらえ|ていただけ|てくれますか|수 있어|수 있나요|줄래
"""

ALSO = """
also|too|as well|only|just|additionally|moreover|furthermore|auch|nur|außerdem|zudem|aussi|seulement|également|uniquement|también|además|solo|sólo|solamente|anche|inoltre|soltanto|também|apenas|só|além|ook|alleen|enkel|också|även|bara|endast|też|także|tylko|również|также|тоже|только|ещё|ayrıca|sadece|أيضا|فقط|भी|सिर्फ|केवल|גם|רק
也|还要|只|另外|も|だけ|また|도|만|또
"""

OFFER = """
would you like|do you want me|shall i|should i|want me to|anything else|any other|let me know if|feel free|any questions|any changes|happy to help|hope this helps|if you'd like|if you like
möchtest du|möchten sie|soll ich|noch etwas|sag bescheid|sonst noch|weitere fragen|wenn du möchtest|voulez-vous|veux-tu|souhaitez-vous|souhaites-tu|autre chose|n'hésite|dis-moi si|quieres que|te gustaría|desea|algo más|avísame|gostaria|quer que|mais alguma|avise|vuoi che|desideri|altro|fammi sapere|vorresti
wil je dat|wilt u|laat het|nog iets|vill du att|ska jag|säg till|något mer|något annat|chcesz|daj znać|coś jeszcze|хотите|хочешь|дайте знать|что-нибудь ещё|ister misin|ister misiniz|başka bir|هل تريد|هل ترغب|أخبرني إذا|क्या आप चाहेंगे|और कुछ|תרצה
需要我|还需要|要不要|如果需要|他に|ほかに|ご質問|お知らせ|いかがですか|원하시|더 필요|알려 주
"""

STATES = """
is|are|was|were|has|have|had|must|should|needs|will|costs|takes|ist|sind|war|hat|haben|soll|muss|wird|sollen|müssen|kostet|zahlen|est|sont|était|ont|doit|doivent|sera|fait|mesurent|coûte|es|son|era|tiene|tienen|debe|cuesta|hay|está|è|sono|ha|hanno|deve|costa|devono|há|tem|têm|são|foi|zijn|heeft|hebben|moet|wordt|kost|är|har|ska|måste|kostar|jest|są|ma|mają|musi|kosztuje|стоит|должен|должна|должно|есть|был|была|var|olmalı|יש|צריך|היא|הוא|है|हैं|था|थी|चाहिए|كان|يجب|عدد|هو|هي
是|有|要|得|です|ます|ました|である|이야|입니다|이에요|있어|해야
"""

PART = """
word|words|sentence|sentences|line|lines|paragraph|part|bit|step|point|item|title|heading|ending|opening|beginning|intro|paragraphs|version|clause|phrase|wort|wörter|satz|sätze|zeile|absatz|teil|schritt|punkt|titel|überschrift|schluss|anfang|fassung|mot|mots|phrases|ligne|paragraphe|partie|étape|titre|fin|début|palabra|frase|frases|línea|párrafo|parte|paso|punto|título|final|principio|comienzo
parola|parole|riga|paragrafo|passo|titolo|finale|inizio|palavra|linha|parágrafo|passo|fim|início|woord|zin|regel|alinea|stap|titel|slot|begin|ord|ordet|mening|meningen|rad|raden|stycke|steg|rubrik|rubriken|slutet|början|słowo|zdanie|linia|akapit|krok|tytuł|koniec|początek|слово|предложение|строка|строку|абзац|шаг|заголовок|конец|начало|kelime|cümle|cümleyi|satır|paragraf|adım|başlık|son|كلمة|جملة|الجملة|سطر|فقرة|خطوة|عنوان|शब्द|वाक्य|पंक्ति|शीर्षक|बात|מילה|המילה|משפט|המשפט|שורה|פסקה|כותרת
一句|这句|那句|一段|一行|这个词|标题|结尾|开头|版本|という言葉|の文|一文|段落|行目|タイトル|単語|문장|단어|줄을|제목|라는 말|표현
"""

DEGREE = """
more|less|too|a bit|a little|slightly|even more|much more|etwas|mehr|weniger|zu|bisschen|noch mehr|viel zu|plus|moins|trop|un peu|más|menos|demasiado|un poco|più|meno|troppo|un po'|mais|demais|um pouco|meer|minder|te|iets|een beetje|mer|mindre|för|lite|alltför|bardziej|mniej|zbyt|trochę|более|менее|слишком|чуть|немного|daha|fazla|biraz|أكثر|أقل|قليلا|ज़्यादा|ज्यादा|कम|थोड़ा|יותר|פחות|קצת|מדי
更|太|一点|一些|もっと|もう少し|すぎ|過ぎ|より|더|덜|너무|조금
"""

TONGUE = """
english|french|german|spanish|italian|portuguese|dutch|swedish|polish|russian|turkish|arabic|hindi|chinese|japanese|korean|catalan|latin|englisch|französisch|deutsch|spanisch|italienisch|anglais|français|allemand|espagnol|inglés|francés|alemán|español|catalán|inglese|francese|tedesco|spagnolo|italiano|inglês|francês|alemão|espanhol|engels|frans|duits|spaans|engelska|franska|tyska|spanska|angielski|angielsku|francuski|niemiecki|английский|английском|французский|немецкий|ingilizce|fransızca|almanca|بالإنجليزية|الإنجليزية|بالفرنسية|अंग्रेज़ी|अंग्रेजी|אנגלית|באנגלית|בצרפתית
英文|英语|法语|德语|日语|英語|フランス語|ドイツ語|中国語|영어|프랑스어|독일어|일본어
"""

YOU = """
you|your|yours|you've|you're|du|dich|dein*|ihr|sie haben|tu|toi|ton|ta|tes|vous|votre|vos|tú|tus|usted|hai|tuo|tua|você|teu|tua|jij|jouw|uw|du|din|ditt|dina|ty|twój|twoja|ты|твой|твоя|вы|ваш*|sen|senin|siz|أنت|إجابتك|तुम*|आप*|אתה|שלך|שכחת
你|您|あなた|君の|네가|당신
"""

POINTER = """
them|those|these|there|then|its|he|she|they|it|that|this|daran|darin|dort|dann|die|der|ihn|sie|es|cela|ça|ceux|celle|celui|là|alors|y|lui|ellos|ellas|allí|entonces|eso|esto|lo|la|lì|allora|quello|quella|ne|dali|então|isso|dele|dela|daar|dan|ervan|die|dat|där|då|den|det|dem|tam|wtedy|to|tego|там|тогда|он|она|это|его|её|orada|onu|o|bu|şu|هناك|هذا|هذه|ذلك|له|वहाँ|यह|वह|इसे|שם|זה|זאת|אותו
它|这|那|他|她|其|それ|その|これ|この|そこ|그|이거|거기
"""

THANKS = """
thanks|thank you|thx|cheers|much appreciated|love it|goodbye|bye|good night|you're the best|danke|dankeschön|vielen dank|herzlichen dank|schönen abend|schönes wochenende|merci|bonne journée|gracias|obrigado|obrigada|valeu|grazie|buona giornata|bedankt|dank je|dank u|tack|hejdå|dziękuję|dzięki|спасибо|teşekkürler|teşekkür ederim|sağ ol|sağol|شكرا|धन्यवाद|शुक्रिया|תודה
谢谢|感谢|再见|ありがとう|感謝|助かりました|감사합니다|고마워|고맙습니다
"""

FRUSTRATED = """
that's wrong|this is wrong|still wrong|wrong again|not what i asked|not what i said|not what i meant|i already said|i already told|i told you|i just told|i said|as i said|you're not listening|you are not listening|you ignored|you forgot|useless|come on|seriously|for the last time|how many times|this is frustrating|doesn't make sense|makes no sense|stop doing
das ist falsch|immer noch falsch|wieder falsch|ich habe gesagt|ich sagte doch|hab ich doch|habe ich schon gesagt|du hörst nicht|nicht was ich|zum letzten mal|wie oft noch|so ein quatsch|c'est faux|toujours faux|je t'ai dit|je vous ai dit|j'ai déjà dit|ce n'est pas ce que|combien de fois|está mal|sigue mal|ya te dije|ya te lo dije|ya he dicho|no es lo que|cuántas veces|está errado|já disse|já te disse|não é isso|è sbagliato|ancora sbagliato|te l'ho già detto|ho già detto|non è quello che|quante volte
dat klopt niet|nog steeds fout|ik zei toch|ik heb al gezegd|niet wat ik|det är fel|fortfarande fel|jag sa ju|jag har redan sagt|inte vad jag|to jest źle|już mówiłem|już mówiłam|nie o to|это неправильно|опять не то|я же сказал|я уже говорил|сколько раз|yine yanlış|söyledim ya|zaten söyledim|kaç kere|هذا خطأ|قلت لك|ليس ما طلبت|यह गलत है|मैंने कहा था|मैंने पहले ही|זה לא נכון|אמרתי לך|כבר אמרתי
不对|又错|还是错|我说过|我都说了|不是我要|说了多少|違います|違うって|言ったでしょう|さっき言った|何度も|또 틀렸|말했잖아|아니라고
"""

SUBJECT = """
he's|she's|it's|they're|there's|we're|they've|we've|i've|i'm|the|a|an|our|my|his|her|their|he|she|it|they|there|some|most|all|one|two|three|i|we|der|die|das|ein|eine|unser*|mein*|er|sie|es|man|viele|einige|le|la|les|un|une|il|elle|ils|elles|on|nous|je|mon|ma|mes|notre|nos|el|los|las|una|hay|algunos|mi|mis|nuestr*|lo|gli|i|ci|c'è|abbiamo|o|os|as|um|uma|ele|ela|eles|meu|minha|nós|de|het|een|er|hij|zij|ze|wij|mijn|ons|onze|den|det|en|ett|han|hon|vi|jag|min|mitt|några|de|on|ona|ono|oni|mój|moj*|nasz*|он|она|оно|они|мы|я|мой|моя|наш*|у|в|o|bu|bizim|benim|onlar|هو|هي|نحن|أنا|هناك|معنا|لدينا|वे|वह|यह|मैं|हम|मेरे|मेरी|הוא|היא|הם|אנחנו|אני|יש
"""

THIRD = """
he|she|they|he's|she's|they're|he'd|she'd|they'd|they've|er|sie|elle|ils|elles|él|ella|ellos|ellas|lui|lei|loro|ele|ela|eles|elas|hij|zij|ze|han|hon|ona|oni|он|она|они|onlar|هو|هي|هم|वह|वे|उसके|उसकी|उसका|उसमें|उनके|הוא|היא|הם
"""

OF_IT = """
of it|of that|from it|from that|davon|daarvan|ervan|av det|därav|de eso|de ello|di quello|di ciò|disso|z tego|из этого|от этого|bunun yarısı|onun yarısı|من ذلك|इसका आधा
其一半|その半分|그 절반|그것의
"""

FAILS = """
errors out|throws|traceback|stack trace|fails|failed|failing|crash|crashes|crashed|doesn't work|does not work|doesn't run|not working|won't work|won't run|didn't work|isn't working|broken|buggy|times out|syntax error|no such column|no such table|still the same|nothing happens|too slow|hangs|that's wrong|is wrong|it's wrong
fehlermeldung|funktioniert nicht|geht nicht|klappt nicht|läuft nicht|stürzt ab|abgestürzt|kaputt|stimmt nicht|zu langsam|ist falsch|wirft einen|ne marche pas|marche pas|ne fonctionne pas|fonctionne pas|plante|c'est faux|trop lent|ne passe pas
no funciona|falla|da error|no va|está mal|demasiado lento|non funziona|dà errore|è sbagliato|si blocca|troppo lento|não funciona|dá erro|está errado|muito lento
foutmelding|werkt niet|doet het niet|loopt vast|te traag|klopt niet|fungerar inte|funkar inte|felmeddelande|kraschar|för långsam|nie działa|za wolno|wywala|jest źle|не работает|падает|выдаёт ошибку|выдает ошибку|неправильно|слишком медленно
hata veriyor|çalışmıyor|çöküyor|çok yavaş|لا يعمل|لا تعمل|بطيء جدا|काम नहीं|लगता नहीं|לא עובד|לא עובדת|נופל
报错|出错了|不行|不对|崩溃|太慢|没反应|動かない|動きません|エラーになる|エラーが出|落ちる|遅すぎ|안 돼|안 됩니다|작동하지|오류가 나|에러가 나|느려
"""
"""What people say of something that they have tried."""

FAULTS = """
error|exception|bug|wrong|incorrect|undefined|fehler|falsch|erreur|incorrecte|fallo|incorrecto|errore|sbagliato|erro|errado|fout|fel|błąd|źle|ошибка|ошибку|hata|yanlış|خطأ|गलत|त्रुटि|שגיאה
错误|エラー|間違|오류|에러|틀렸
"""
"""Words of such reports that a rule about mistakes has as well."""

RELATIVE = """
returns nothing|zero rows|no rows|unknown column|unbalanced|off by one|didn't help|doesn't help|you forgot|conflict|raise the|raise it|increase the|increase it|decrease the|lower the|lower it|reduce the|bump the|bump it|flip the|invert the|reverse the order|other way round|other way around|by one
liefert nichts|null zeilen|unbekannte spalte|hilft nicht|du hast vergessen|konflikt|erhöhe|senke|vertausch*|andersherum|andersrum|umgekehrt|ne renvoie rien|zéro ligne|colonne inconnue|tu as oublié|augmente le|augmente la|baisse le|baisse la|réduis le|réduis la|permute les|intervertis|à l'envers|inverse les
no devuelve nada|cero filas|columna desconocida|aumenta el|aumenta la|sube el|baja el|reduce el|reduce la|dobla el|dobla la|invierte el|al revés|non restituisce|zero righe|colonna sconosciuta|aumenta il|aumenta la|abbassa il|al contrario|não devolve nada|coluna desconhecida|aumenta o|aumente o|aumente a|reduza o|reduza a|dobre o|dobre a|dobra o|inverta as|inverta os|ao contrário
ничего не возвращает|ноль строк|увеличь|уменьши|переверни|наоборот|verhoog de|verlaag de|öka|minska|zwiększ|zmniejsz|दोगुन*|hiçbir şey|artır|azalt|tersine
没返回|零行|未知列|调高|调低|对调|减半|反过来|何も返|逆に|반대로
"""
"""What is said of one version only: that it returned nothing, that a figure in it be raised. Said again once that
is done, it is wrong or would be done twice."""

MAKES = """
write a|write an|write me|write another|write some|write the|create a|create an|make a|make an|make me|give me a|give me an|give me another|generate a|generate an|build a|build an|implement a|draft a|compose a|design a|i need a|i need an|i need another|i want a|i'd like a|i also need a|now write|now create|now make|can you write|could you write|another query|another function|another script
schreib ein|schreib eine|schreib einen|schreib mir|schreibe ein|schreibe eine|schreibe einen|schreibe mir|erstell ein|erstell eine|erstell einen|erstelle ein|erstelle eine|erstelle einen|mach ein|mach eine|mach einen|mach mir|gib mir ein|gib mir eine|gib mir einen|bau ein|bau eine|bau einen|ich brauche ein|ich brauche eine|ich brauche einen|ich brauche noch|noch eine abfrage|noch eine funktion|écris un|écris une|écris-moi|crée un|crée une|fais un|fais une|fais-moi|génère un|génère une|donne-moi un|donne-moi une|il me faut un|il me faut une|j'ai besoin d'un|j'ai besoin d'une
escribe un|escribe una|escríbeme|crea un|crea una|haz un|haz una|hazme|dame un|dame una|genera un|genera una|necesito un|necesito una|necesito otra|scrivi un|scrivi una|scrivimi|crea un|fammi un|fammi una|dammi un|dammi una|genera un|mi serve un|mi serve una|escreve um|escreve uma|escreva um|escreva uma|cria um|cria uma|crie um|crie uma|faz um|faz uma|preciso de um|preciso de uma
schrijf een|maak een|geef me een|ik heb een|ik wil een|genereer een|skriv en|skriv ett|skapa en|skapa ett|gör en|gör ett|ge mig en|ge mig ett|jag behöver en|jag behöver ett|napisz|stwórz|zrób|wygeneruj|potrzebuję|напиши|создай|сделай|сгенерируй|составь|мне нужен|мне нужна|мне нужно
bir fonksiyon|bir sorgu|bir betik|oluştur|اكتب لي|أنشئ|أحتاج إلى|लिखो एक|एक फ़ंक्शन|बनाओ|תכתוב|כתוב לי|צור
写一个|写个|写一段|写一条|再写|做一个|生成一个|给我一个|帮我写|我需要一个|を書いて|を作って|作成して|써 줘|써줘|만들어|작성해
"""
"""Orders to make something: where another such order came before, a thing of its own."""

RELATES = """
with|without|in|by|from|for|of|at|on|to|into|before|after|under|over|above|below|between|until|till|since|within|per|born|founded|published|made|both|each|every|no|not|none|nothing|nobody|more|less|fewer|up|as|if|when|unless|where|whose|which|that|who|than
mit|ohne|im|am|an|auf|aus|von|vom|für|bei|bis|ab|seit|vor|nach|unter|über|zwischen|zum|zur|pro|je|beide|jede|jeder|jedes|kein|keine|keinen|nicht|mindestens|höchstens|wenn|falls|sofern|geboren|als|avec|sans|dans|en|au|aux|à|de|du|des|pour|par|sur|sous|avant|après|depuis|jusqu|entre|chaque|tous|toutes|aucun|aucune|pas|plus|moins|si|quand|né|nés|nées|dont
con|sin|del|desde|hasta|para|por|sobre|bajo|antes|después|cada|todos|todas|ningún|ninguna|al|como|más|menos|cuando|nacidos|senza|nel|nella|di|della|dal|dalla|da|per|su|sotto|prima|dopo|fra|tra|ogni|tutti|tutte|nessun|non|almeno|più|meno|se|quando|nati|com|sem|em|na|nos|nas|do|dos|das|até|depois|nenhum|não|pelo|no|mais
met|zonder|op|aan|van|voor|na|tot|vanaf|sinds|onder|boven|tussen|elk|elke|alle|geen|niet|minstens|hoogstens|indien|med|utan|på|av|från|före|efter|till|sedan|mellan|varje|alla|inga|ingen|inte|minst|högst|om|när|z|ze|bez|w|we|od|dla|po|przed|pod|nad|między|każdy|każda|wszystkie|żaden|nie|co|najwyżej|jeśli|jeżeli|gdy
с|со|без|в|во|на|от|до|для|из|по|после|перед|под|над|между|каждый|каждая|все|ни|не|если|когда|her|tüm|hiçbir|en|eğer|مع|بدون|من|في|على|إلى|قبل|بعد|بين|كل|لا|إذا|عند|बिना|हर|सभी|अगर|नहीं|कम|עם|בלי|ללא|לפני|אחרי|בין|כל|לא|אם|לפחות
从|按|不要|每|如果|至少|最多|没有|仅|から|まで|もし|以上|以下|부터|까지|만약|이상|이하
"""
"""Words with which a piece of a sentence begins that goes on from something. Only the first word is looked at."""

ARTEFACT = """
query|statement|function|method|script|program|code|regex|calls|subquery|abfrage|funktion|methode|skript|programm|aufruf|aufrufe|requête|fonction|méthode|programme|appels|consulta|función|método|código|llamadas|funzione|interrogazione|metodo|codice|chiamate|função|consulta|chamadas|functie|zoekopdracht|aanroepen|fråga|frågan|funktionen|koden|zapytanie|zapytania|funkcja|funkcję|kod|запрос|запроса|функция|функцию|код|вызовы|sorgu|sorguyu|fonksiyon|fonksiyonu|kodu|الاستعلام|الدالة|الكود|क्वेरी|फ़ंक्शन|कोड|השאילתה|הפונקציה|הקוד
查询|函数|代码|脚本|クエリ|関数|コード|쿼리|함수|코드
"""
"""What an artefact is called."""
