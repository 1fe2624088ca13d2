import type { LanguagePhrases } from './language-phrases.ts';

/** Headers in the languages of central, eastern and south-eastern Europe and the Baltic states, and a few of East Asia. */
export const easternPhrases: readonly LanguagePhrases[] = [
  {
    language: 'pl',
    name: `Nazwa firmy|Nazwa przedsiębiorstwa|Nazwa spółki|Nazwa organizacji|Nazwa podmiotu|Nazwa kontrahenta|Nazwa handlowa|Pełna nazwa firmy`,
    company: `Przedsiębiorstwo|Spółka|Organizacja|Podmiot|Kontrahent|Marka|Pracodawca|Dostawca|Wystawca`,
    bare: `Nazwa|Klient|Nazwa klienta`,
    domain: `Domena|Nazwa domeny|Domena firmy|Domena internetowa`,
    site: `Strona internetowa|Strona www|Strona internetowa firmy|Strona firmy|Strona firmowa|Witryna|Witryna internetowa|Adres www|Adres strony
      |Adres strony www|Adres strony internetowej|Adres internetowy|Strona web`,
    email: `Adres e-mail|Adres poczty elektronicznej|Poczta elektroniczna|E-mail firmowy|E-mail służbowy|Służbowy e-mail|Adres mailowy`,
  },
  {
    language: 'cs',
    name: `Název firmy|Název společnosti|Jméno firmy|Jméno společnosti|Název organizace|Název podniku|Obchodní firma|Obchodní jméno|Obchodní název`,
    company: `Společnost|Organizace|Podnik|Značka|Zaměstnavatel|Dodavatel|Vystavovatel`,
    bare: `Název|Zákazník`,
    domain: `Doména|Název domény|Doménové jméno`,
    site: `Webové stránky|Webová stránka|Internetové stránky|Internetová stránka|Internetová adresa|Webová adresa|WWW stránky|Adresa webu|Web firmy
      |Web společnosti|Stránky firmy`,
    email: `E-mailová adresa|Elektronická pošta|El. pošta|Firemní e-mail|Pracovní e-mail`,
  },
  {
    language: 'sk',
    name: `Názov firmy|Názov spoločnosti|Meno firmy|Názov organizácie|Názov podniku|Obchodné meno|Obchodný názov`,
    company: `Spoločnosť|Organizácia|Zamestnávateľ|Dodávateľ|Vystavovateľ`,
    bare: `Názov`,
    domain: `Názov domény|Doménové meno`,
    site: `Webová stránka|Webové stránky|Webstránka|Web stránka|Internetová stránka|Internetové stránky|Webová adresa|Webové sídlo|Web firmy
      |Stránka firmy`,
    email: `E-mailová adresa|Firemný e-mail|Pracovný e-mail`,
  },
  {
    language: 'hu',
    name: `Cégnév|Cég neve|Vállalat neve|Vállalkozás neve|Vállalatnév|Szervezet neve|Társaság neve|Cég megnevezése`,
    company: `Cég|Vállalat|Vállalkozás|Szervezet|Társaság|Márka|Munkáltató|Beszállító|Kiállító`,
    bare: `Név|Megnevezés|Ügyfél`,
    domain: `Domén|Domainnév|Domain név|Céges domain`,
    site: `Weboldal|Honlap|Webhely|Weblap|Webcím|Internetcím|Honlap címe|Weboldal címe|Céges weboldal|Cég weboldala|Cég honlapja`,
    email: `E-mail cím|E-mail címe|Elektronikus levélcím|Céges e-mail|Céges e-mail cím`,
  },
  {
    language: 'ro',
    name: `Nume companie|Numele companiei|Denumire firmă|Denumirea firmei|Nume firmă|Numele firmei|Denumire societate|Denumirea societății
      |Denumire companie|Denumirea companiei|Nume organizație|Numele organizației|Denumire socială`,
    company: `Companie|Firmă|Societate|Organizație|Întreprindere|Marcă|Angajator|Furnizor`,
    bare: `Denumire|Nume client`,
    domain: `Domeniu|Nume domeniu|Nume de domeniu|Numele domeniului|Domeniul companiei`,
    site: `Pagină web|Pagina web|Adresa web|Adresă web|Pagina de internet|Site-ul web|Site-ul companiei|Adresa site`,
    email: `Adresa de e-mail|Adresă de e-mail|Adresa e-mail|Adresă e-mail|Poștă electronică|Adresa de poștă electronică`,
  },
  {
    language: 'bg',
    name: `Име на фирма|Име на фирмата|Име на компания|Име на компанията|Наименование на фирмата|Наименование на дружеството|Име на организацията
      |Име на дружеството|Търговско наименование`,
    company: `Фирма|Компания|Дружество|Предприятие|Организация|Марка|Работодател|Доставчик`,
    bare: `Наименование|Клиент`,
    domain: `Домейн|Име на домейн|Домейн на фирмата`,
    site: `Уебсайт|Уеб сайт|Интернет страница|Интернет сайт|Уебстраница|Уеб страница|Интернет адрес|Уеб адрес|Уебсайт на фирмата|Сайт на фирмата`,
    email: `Имейл|Имейл адрес|Е-поща|Електронна поща|Ел. поща|Ел. адрес|Мейл|Е-мейл`,
  },
  {
    language: 'el',
    name: `Επωνυμία|Επωνυμία εταιρείας|Επωνυμία εταιρίας|Επωνυμία επιχείρησης|Όνομα εταιρείας|Όνομα εταιρίας|Όνομα επιχείρησης|Όνομα οργανισμού
      |Διακριτικός τίτλος`,
    company: `Εταιρεία|Εταιρία|Επιχείρηση|Οργανισμός|Μάρκα|Εργοδότης|Προμηθευτής`,
    bare: `Όνομα|Πελάτης`,
    domain: `Όνομα τομέα|Όνομα domain`,
    site: `Ιστοσελίδα|Ιστότοπος|Ιστοσελίδα εταιρείας|Ιστότοπος εταιρείας|Διεύθυνση ιστοσελίδας|Διεύθυνση ιστότοπου|Διαδικτυακός τόπος|Ιστοχώρος`,
    email: `Ηλεκτρονικό ταχυδρομείο|Διεύθυνση email|Ηλεκτρονική διεύθυνση|Διεύθυνση ηλεκτρονικού ταχυδρομείου|Ηλ. ταχυδρομείο|Μέιλ`,
  },
  {
    language: 'hr, bs, sr, sl, mk',
    name: `Naziv tvrtke|Ime tvrtke|Naziv poduzeća|Naziv preduzeća|Naziv kompanije|Ime kompanije|Naziv firme|Ime firme|Naziv društva|Naziv organizacije
      |Ime organizacije|Ime podjetja|Naziv podjetja|Ime družbe|Poslovno ime|Назив предузећа|Назив компаније|Назив фирме|Име фирме
      |Пословно име|Назив привредног друштва|Име на фирма|Име на компанија`,
    company: `Tvrtka|Poduzeće|Preduzeće|Kompanija|Društvo|Organizacija|Podjetje|Družba|Brend|Poslodavac|Delodajalec|Dobavljač|Dobavitelj|Izlagač
      |Предузеће|Компанија|Друштво|Организација|Послодавац`,
    bare: `Naziv|Назив|Klijent|Kupac`,
    domain: `Domen|Naziv domene|Ime domene|Домен|Назив домена`,
    site: `Web stranica|Web stranica tvrtke|Internetska stranica|Internet stranica|Internetske stranice|Mrežna stranica|Mrežno mjesto|Web mjesto
      |Web adresa|Internet adresa|Veb sajt|Veb-sajt|Sajt|Internet sajt|Internet prezentacija|Sajt firme|Spletna stran|Spletno mesto
      |Spletni naslov|Spletna stran podjetja|Web strana|Веб-сајт|Сајт|Интернет страница|Веб страница|Интернет адреса|Веб-страна`,
    email: `E-pošta|Adresa e-pošte|E-mail adresa|Elektronska pošta|Elektronička pošta|E-poštni naslov|Elektronski naslov|E-naslov|Elektronska adresa
      |Мејл|Имејл|Електронска пошта|Е-пошта|Имејл адреса`,
  },
  {
    language: 'sq',
    name: `Emri i kompanisë|Emri i firmës|Emri i biznesit`,
    company: `Kompania|Kompani|Ndërmarrja|Biznesi`,
    bare: ``,
    domain: `Domeni`,
    site: `Faqja e internetit|Faqja web|Uebfaqja|Faqe interneti|Uebsajti`,
    email: `Adresa e emailit|Posta elektronike`,
  },
  {
    language: 'et',
    name: `Ettevõtte nimi|Firma nimi|Ärinimi|Organisatsiooni nimi|Asutuse nimi|Äriühingu nimi`,
    company: `Ettevõte|Äriühing|Organisatsioon|Asutus|Bränd|Kaubamärk|Tööandja|Tarnija`,
    bare: ``,
    domain: `Domeen|Domeeninimi|Domeeni nimi`,
    site: `Veebileht|Veebisait|Koduleht|Kodulehekülg|Veebilehekülg|Veebiaadress|Veeb|Ettevõtte veebileht|Kodulehe aadress`,
    email: `E-posti aadress|Meiliaadress|Elektronpost|Meil`,
  },
  {
    language: 'lv',
    name: `Uzņēmuma nosaukums|Firmas nosaukums|Kompānijas nosaukums|Organizācijas nosaukums|Sabiedrības nosaukums`,
    company: `Uzņēmums|Kompānija|Sabiedrība|Organizācija|Komersants|Zīmols|Darba devējs|Piegādātājs`,
    bare: `Nosaukums|Klients`,
    domain: `Domēns|Domēna vārds|Domēna nosaukums`,
    site: `Tīmekļa vietne|Tīmekļvietne|Mājaslapa|Mājas lapa|Interneta vietne|Tīmekļa lapa|Mājaslapas adrese|Tīmekļa adrese|Interneta adrese|Vietne`,
    email: `E-pasts|E-pasta adrese|Elektroniskais pasts`,
  },
  {
    language: 'lt',
    name: `Įmonės pavadinimas|Bendrovės pavadinimas|Organizacijos pavadinimas|Kompanijos pavadinimas|Firmos pavadinimas`,
    company: `Įmonė|Bendrovė|Prekės ženklas|Darbdavys|Tiekėjas`,
    bare: `Pavadinimas|Klientas`,
    domain: `Domenas|Domeno vardas`,
    site: `Svetainė|Interneto svetainė|Tinklalapis|Tinklapis|Internetinis puslapis|Internetinė svetainė|Interneto adresas|Svetainės adresas
      |Žiniatinklio svetainė|Įmonės svetainė`,
    email: `El. paštas|El. pašto adresas|Elektroninis paštas|Elektroninio pašto adresas|E-paštas`,
  },
  {
    language: 'ru',
    name: `Название компании|Наименование компании|Название организации|Наименование организации|Наименование предприятия|Название предприятия
      |Название фирмы|Наименование контрагента|Полное наименование|Краткое наименование|Сокращенное наименование|Наименование юридического лица`,
    company: `Компании|Юридическое лицо|Юрлицо|Контрагент|Бренд|Работодатель|Поставщик`,
    bare: `Название|Клиент|Заказчик`,
    domain: `Доменное имя|Домен компании|Домен сайта`,
    site: `Сайт|Веб-сайт|Адрес сайта|Сайт компании|Сайт организации|Интернет-сайт|Веб-страница|Интернет-адрес|Веб-адрес|Официальный сайт
      |Ссылка на сайт|URL сайта|Домашняя страница`,
    email: `Электронная почта|Эл. почта|Почта|Адрес электронной почты|Адрес эл. почты|Емейл|Е-мейл|Электронный адрес|Рабочая почта|Корпоративная почта`,
  },
  {
    language: 'uk',
    name: `Назва компанії|Найменування компанії|Назва організації|Найменування організації|Назва підприємства|Найменування підприємства|Назва фірми
      |Повне найменування|Назва юридичної особи`,
    company: `Компанія|Організація|Підприємство|Фірма|Юридична особа|Роботодавець|Постачальник`,
    bare: `Назва|Найменування|Клієнт`,
    domain: `Доменне ім'я|Домен компанії`,
    site: `Вебсайт|Вебсторінка|Веб-сторінка|Адреса сайту|Сайт компанії|Інтернет-сайт|Офіційний сайт|Вебадреса`,
    email: `Електронна пошта|Ел. пошта|Пошта|Адреса електронної пошти|Імейл|Електронна адреса|Робоча пошта`,
  },
  {
    language: 'tr',
    name: `Şirket adı|Şirket ismi|Firma adı|Firma ismi|Firma ünvanı|Şirket ünvanı|Ticari unvan|Ticaret unvanı|Kuruluş adı|İşletme adı|Kurum adı`,
    company: `Şirket|Kuruluş|İşletme|Kurum|Organizasyon|İşveren|Tedarikçi`,
    bare: `Müşteri|Müşteri adı`,
    domain: `Alan adı|Etki alanı|Şirket alan adı`,
    site: `Web sitesi|İnternet sitesi|Web sayfası|İnternet sayfası|Web adresi|İnternet adresi|Site adresi|Şirket web sitesi|Firma web sitesi`,
    email: `E-posta|E-posta adresi|Elektronik posta|Mail adresi|İş e-postası|Kurumsal e-posta|E-mail adresi`,
  },
  {
    language: 'ja, zh',
    name: `会社名|企業名|法人名|社名|商号|屋号|団体名|取引先名|得意先名|公司名称|公司名稱|企业名称|企業名稱|公司名|企业名|公司全称|单位名称|單位名稱|机构名称|组织名称`,
    company: `会社|企業|法人|取引先|得意先|公司|企业|单位`,
    bare: `名称|名稱|顧客名|客户|客户名称|客戶名稱`,
    domain: `ドメイン|ドメイン名|企業ドメイン|域名|公司域名|網域`,
    site: `ウェブサイト|ウェブサイトURL|ホームページ|ホームページURL|サイト|サイトURL|企業サイト|会社URL|企業URL|コーポレートサイト|公式サイト|網站|网站|网站地址|網址|网址
      |官网|官網|官方网站|公司网站|公司网址|公司主页|企业网站|主页`,
    email: `メールアドレス|メール|Eメール|電子メール|代表メール|邮箱|邮箱地址|邮件|邮件地址|电子邮件|电子邮件地址|电子邮箱|公司邮箱|電子郵件|電子信箱|電郵`,
  },
];
