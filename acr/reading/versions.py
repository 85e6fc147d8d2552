"""One of several versions named by its place: "the first query", "der zweite Entwurf", "la version précédente".

Who says so may mean a version that later ones replaced, so nothing of the assistant's may go.
"""

_NAMED = """
first,second,third,last,previous,earlier,original,initial > query,version,draft,proposal,attempt,suggestion,script,wording
erste,ersten,erster,zweite,zweiten,zweiter,dritte,dritten,letzte,letzten,vorige,vorigen,voriger,vorherige,vorherigen,vorheriger,ursprüngliche,ursprünglichen > abfrage,fassung,version,entwurf,vorschlag,variante,versuch
première,premier,deuxième,seconde,second,troisième,dernière,dernier,précédente > requête,version,brouillon,proposition,essai,variante
primera,primer,segunda,segundo,tercera,tercer,última,último,anterior > consulta,versión,borrador,propuesta,intento,variante
prima,seconda,secondo,terza,ultima,precedente > interrogazione,versione,bozza,proposta,tentativo,variante
primeira,primeiro,segunda,segundo,terceira,última,anterior > consulta,versão,rascunho,proposta,tentativa,variante
eerste,tweede,derde,laatste,vorige,oorspronkelijke > zoekopdracht,versie,voorstel,poging,variant
första,andra,tredje,sista,förra,ursprungliga > frågan,versionen,utkastet,förslaget,försöket,varianten
pierwsza,pierwszą,pierwszej,druga,drugą,drugiej,poprzednia,poprzednią,poprzedniej,ostatnia > wersja,wersję,wersji,propozycja,propozycję,próba
первый,первого,первому,первая,первую,второй,второго,вторая,вторую,прошлый,предыдущий,предыдущую > вариант,варианта,варианту,версия,версию,версии,запрос,черновик,набросок
ilk,İlk,birinci,ikinci,İkinci,üçüncü,önceki,son > sorgu,sürüm,sürümü,taslak,taslağı,öneri,öneriyi
"""
_AFTER = """
version,requête,proposition,versión,consulta,propuesta,versione,proposta,versão > précédente,originale,initiale,anterior,original,precedente,iniziale
الاستعلام,الإصدار,النسخة,المسودة,الاقتراح > الأول,الأولى,الثاني,الثانية,السابق,السابقة,الأصلي,الأصلية
השאילתה,הגרסה,הטיוטה,ההצעה > הראשונה,השנייה,הקודמת,המקורית,האחרונה
पहला,पहली,दूसरा,दूसरी,पिछला,पिछली > क्वेरी,संस्करण,मसौदा,प्रस्ताव
"""
_TOGETHER = """
第一版|第二版|第三版|上一版|前一版|原版|第一个版本|第二个版本|上一个版本|第一个查询|第二个查询|最初の案|最初のクエリ|最初のバージョン|二番目の案|二つ目の案|前の案|前のバージョン|元の案|첫 번째 버전|두 번째 버전|이전 버전|첫 번째 쿼리|처음 버전|첫 버전|원래 버전
"""


def _listed(*groups: str) -> str:
    """Every first word with every second one of its line, as word lists are written."""
    lines = [line.split(" > ") for group in groups for line in group.strip().splitlines()]
    return "|".join(
        f"{first} {second}" for one, other in lines for first in one.split(",") for second in other.split(",")
    )


VERSION = f"{_listed(_NAMED, _AFTER)}\n{_TOGETHER.strip()}"
