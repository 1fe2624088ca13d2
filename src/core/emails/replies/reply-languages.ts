import { anyOf, anywhere, either, pairs, phrases, words, type WordList } from './word-list.ts';

// What servers write in other languages than English: the same few statements, put together from the words of each language.

/** The words of a language, parted by `|`; `…` stands for any ending. */
interface Language {
  /** Words for a recipient and a mailbox. */
  readonly person: string;
  /** Said after the noun: there is none. */
  readonly absent: string;
  /** Said right before the noun: there is none. */
  readonly no: string;
  /** Said after the noun: it is there no longer, or takes no mail any more. */
  readonly gone?: string;
}

/** Languages that set blanks between words. */
const spaced: readonly Language[] = [
  // German
  {
    person:
      'Benutzer…|Empfänger…|Empfaenger…|Adressat…|Teilnehmer|Nutzer|Postfach|Mailbox|Adresse|Mailadresse|E-Mail-Adresse|Konto|Account',
    absent: 'unbekannt|nicht bekannt|nicht gefunden|existiert nicht|nicht vorhanden|ungültig|gibt es nicht',
    no: 'unbekannte…|kein|keine|kein solcher|kein solches|keine solche|ungültige…|nicht existierende…|kein gültiger',
    gone: 'deaktiviert|geschlossen|gelöscht|stillgelegt|abgeschaltet|nicht mehr aktiv|inaktiv',
  },
  // French
  {
    person:
      "l'utilisateur|d'utilisateur|utilisateur|destinataire|le destinataire|compte|l'adresse|d'adresse|adresse|boîte|boite",
    absent: "inconnu|inconnue|inexistant|inexistante|introuvable|n'existe pas|n'existe plus|invalide",
    no: 'aucun|aucune',
    gone: 'désactivé|désactivée|fermé|fermée|clôturé|suspendu|suspendue|supprimé|inactif|archivée',
  },
  // Spanish
  {
    person: 'usuario|destinatario|buzón|cuenta|dirección|casilla',
    absent:
      'desconocido|desconocida|no existe|inexistente|no encontrado|no encontrada|inválido|inválida|no válida',
    no: 'no existe|no existe el|no existe la|no existe ese|no se encuentra el|no se encuentra la|no se encontró el|ningún',
    gone: 'desactivada|deshabilitada|deshabilitado|suspendida|suspendido|inactiva|inactivo|eliminada|cancelada',
  },
  // Portuguese
  {
    person: 'usuário|utilizador|destinatário|caixa postal|caixa de correio|conta|endereço',
    absent:
      'desconhecido|desconhecida|não existe|inexistente|não encontrado|não encontrada|inválido|inválida',
    no: 'não existe|não existe o|não existe a|nenhum|nenhuma',
    gone: 'desativada|desativado|desactivada|suspensa|suspenso|inativa|inativo|encerrada|cancelada',
  },
  // Italian
  {
    person: "l'utente|utente|destinatario|casella|account|l'indirizzo|indirizzo|mailbox",
    absent: 'sconosciuto|sconosciuta|inesistente|non esiste|non trovato|non trovata|non valido|non valida',
    no: 'nessun|nessuna|non esiste',
    gone: 'disattivata|disattivato|disabilitata|disabilitato|sospesa|sospeso|non attivo|non attiva|chiusa',
  },
  // Dutch
  {
    person: 'gebruiker|ontvanger|geadresseerde|postbus|mailbox|adres|e-mailadres|mailadres|account',
    absent: 'onbekend|bestaat niet|niet gevonden|ongeldig',
    no: 'onbekende|geen|ongeldige',
    gone: 'gedeactiveerd|uitgeschakeld|opgeheven|geblokkeerd|verwijderd|gesloten',
  },
  // Swedish, Danish, Norwegian
  {
    person: 'användare…|mottagare…|adressen|kontot|bruger…|modtager…|bruker…|mottaker…|adressaten',
    absent: 'finns inte|är okänd|hittades inte|findes ikke|finnes ikke|er ukendt|er ukjent|eksisterer ikke',
    no: 'okänd|ukendt|ukjent|ingen|ogiltig|ugyldig',
    gone: 'inaktiverad|avstängd|deaktiveret|deaktivert|lukket|stängt',
  },
  // Finnish, Estonian
  {
    person: 'käyttäjä…|vastaanottaja…|osoite…|osoitetta|postilaatikko…|kasutaja…|saaja…',
    absent: 'ei löydy|ei ole olemassa|tuntematon|ei leitud|tundmatu|ei eksisteeri',
    no: 'tuntematon|tundmatu',
  },
  // Polish
  {
    person: 'użytkownik…|adresat…|odbiorc…|skrzynk…|konto|konta|adres|adresu',
    absent: 'nieznany|nieznana|nie istnieje|nieznaleziony|nie znaleziono|nie został znaleziony|nieprawidłowy',
    no: 'nieznany|nie ma takiego|nie ma takiej|brak takiego|brak takiej|nie znaleziono|nie ma',
    gone: 'nieaktywne|nieaktywna|nieaktywny|zablokowane|zablokowana|usunięte|usunięta|wyłączona|zawieszone',
  },
  // Czech, Slovak
  {
    person: 'uživatel…|schránk…|adresa|adresát…|příjemce|používateľ…|príjemca|účet|konto',
    absent: 'neexistuje|nenalezen|nenalezena|neznámý|neznámá|nebyl nalezen|nenájdený|nebola nájdená',
    no: 'neznámý|neznámá|žádný takový',
    gone: 'zrušen|zrušena|zablokována|deaktivována|deaktivován',
  },
  // Hungarian
  {
    person: 'felhasználó…|címzett…|cím|postafiók…|e-mail cím',
    absent: 'nem létezik|ismeretlen|nem található|érvénytelen',
    no: 'ismeretlen|nem létező|nincs ilyen',
    gone: 'megszűnt|letiltva|inaktív',
  },
  // Romanian
  {
    person: 'utilizator…|destinatar…|adresa|căsuța|cont|contul',
    absent: 'necunoscut|necunoscută|inexistent|inexistentă|nu există|nu a fost găsit|nu a fost găsită',
    no: 'nu există',
    gone: 'dezactivat|suspendat|închis',
  },
  // Turkish
  {
    person: 'kullanıcı…|alıcı…|posta kutusu|hesap|adresi|e-posta adresi',
    absent: 'bulunamadı|yok|mevcut değil|geçersiz|tanımlı değil|bilinmiyor',
    no: 'bilinmeyen|geçersiz',
    gone: 'devre dışı|kapatıldı|kapatılmış|askıya alındı',
  },
  // Russian, Ukrainian, Bulgarian
  {
    person:
      'пользовател…|получател…|адресат…|ящик|ящика|почтовый ящик|почтового ящика|адрес|адреса|аккаунт|аккаунта|' +
      'учетная запись|користувач…|отримувач…|одержувач…|скринька|скриньки|скриньку|потребител…',
    absent:
      'не найден|не найдена|не существует|неизвестен|неизвестный|не зарегистрирован|отсутствует|недействителен|не знайдений|не знайдено|не існує|невідомий|не съществува|непознат|не е намерен',
    no: 'нет такого|неизвестный|неверный|не существует|не найден|невідомий|немає такого|няма такъв|непознат',
    gone: 'отключен|отключён|удален|удалён|заблокирован|деактивирован|закрыт|вимкнено|видалено|заблоковано',
  },
  // Greek
  {
    person: 'χρήστης|παραλήπτης|λογαριασμός|διεύθυνση|γραμματοκιβώτιο',
    absent: 'δεν υπάρχει|δεν βρέθηκε|άγνωστος|άγνωστη|δεν είναι έγκυρη',
    no: 'άγνωστος|δεν υπάρχει',
  },
  // Arabic, Persian, Hebrew
  {
    person: 'المستخدم|المستلم|الحساب|العنوان|مستخدم|کاربر|گیرنده|حساب|המשתמש|משתמש|הנמען|נמען|התיבה|הכתובת',
    absent:
      'غير موجود|غير معروف|لا يوجد|وجود ندارد|یافت نشد|לא קיים|אינו קיים|לא נמצא|לא ידוע|לא קיימת|אינה קיימת',
    no: 'لا يوجد|אין|לא קיים',
  },
  // Vietnamese, Indonesian, Malay
  {
    person: 'người dùng|người nhận|tài khoản|địa chỉ|hộp thư|pengguna|penerima|akun|alamat|akaun',
    absent: 'không tồn tại|không tìm thấy|không hợp lệ|tidak ditemukan|tidak dikenal|tidak ada|tidak wujud',
    no: 'không tìm thấy|tidak ditemukan',
    gone: 'đã bị khóa|dinonaktifkan|tidak aktif',
  },
];

/** Languages whose words run together, or take endings that do. */
const joined: readonly Language[] = [
  // Chinese
  {
    person:
      '用户|用戶|收件人|收件者|收信人|邮箱|郵箱|信箱|帐号|账号|帳號|帐户|账户|帳戶|邮件地址|郵件地址|使用者|地址',
    absent: '不存在|未找到|无效|無效|未知|找不到|没有找到',
    no: '无此|無此|查无此|查無此|找不到|找不到该|找不到此|没有此|没有该|没有这个|沒有此|沒有該|未知|无效|無效',
    gone: '已停用|被停用|停用|禁用|已注销|已註銷|已冻结|被冻结|已关闭|已删除',
  },
  // Japanese
  {
    person: 'ユーザー|ユーザ|宛先|メールボックス|アドレス|受信者|アカウント|受取人',
    absent: '存在しません|存在しない|ありません|いません|見つかりません|見つからない|不明|無効',
    no: '不明な|存在しない|無効な',
    gone: '停止されています|解約|使用されておりません',
  },
  // Korean
  {
    person: '사용자|수신자|받는 사람|계정|메일 주소|주소|메일함|메일박스',
    absent: '없습니다|존재하지 않|찾을 수 없|없는',
    no: '존재하지 않는|없는|알 수 없는',
    gone: '비활성|정지|휴면|해지|중지',
  },
  // Thai
  {
    person: 'ผู้ใช้|ผู้รับ|บัญชี|ที่อยู่อีเมล|กล่องจดหมาย',
    absent: 'ไม่มีอยู่|ไม่พบ|ไม่ถูกต้อง',
    no: 'ไม่พบ|ไม่รู้จัก',
    gone: 'ถูกระงับ|ถูกปิด',
  },
];

/** Hosts, commands, logins and leave: where one of them stands between, the sentence is about that. */
const otherThings = anyOf(
  'Server…|serveur…|servidor…|serwer…|сервер…|szerver…|sunucu…|host…|dom…|домен…|IP|DNS|MX|PTR|SPF|Netz…|réseau|relay|relais|' +
    'Befehl…|command…|comando|команд…|parameter|Passw…|passw…|mot|contraseña|senha|hasło|парол…|Zugriff…|Rechte|accès|acceso|' +
    'acesso|accesso|toegang|dostęp…|доступ…|akses|auth…|aut…|log…',
);
const filler = `(?: (?!${otherThings}(?![^ ]))[^ ]+)`;

/** A noun, and what is said of it. */
function says(end: (language: Language) => string | undefined): WordList {
  const pattern = (of: Language, between: string): readonly string[] => {
    const reported = end(of);
    return reported === undefined ? [] : [`${anyOf(of.person)}${between}${anyOf(reported)}`];
  };
  return either(
    words(...spaced.flatMap((of) => pattern(of, `${filler}{0,4}? `))),
    anywhere(...joined.flatMap((of) => pattern(of, '[^ ]{0,3}? ?'))),
  );
}

/** There is nobody of that name. */
export const unknownElsewhere = either(
  says(({ absent }) => absent),
  words(...spaced.map(({ no, person }) => `${anyOf(no)} ${anyOf(person)}`)),
  anywhere(...joined.map(({ no, person }) => `${anyOf(no)} ?${anyOf(person)}`)),
);

/** The mailbox was there and takes no mail any more. */
export const disabledElsewhere = says(({ gone }) => gone);

/** The mailbox is full. */
export const fullElsewhere = phrases(
  ...pairs(['Postfach', 'Mailbox', 'Posteingang'], ['voll', 'ist voll', 'überfüllt', 'ist überfüllt']),
  ...pairs(['boîte', 'boîte du destinataire', 'boîte aux lettres'], ['pleine', 'est pleine', 'saturée']),
  ...pairs(['buzón', 'buzón de correo', 'casilla'], ['lleno', 'llena', 'está lleno']),
  ...pairs(['caixa', 'caixa postal', 'caixa de correio'], ['cheia', 'está cheia', 'lotada']),
  ...pairs(['casella', 'casella di posta'], ['piena', 'è piena']),
  ...pairs(['postbus', 'mailbox'], ['vol', 'is vol']),
  ...pairs(['skrzynka', 'skrzynka odbiorcy'], ['pełna', 'jest pełna', 'przepełniona']),
  ...pairs(['schránka'], ['je plná', 'plná']),
  ...pairs(['ящик', 'почтовый ящик'], ['переполнен', 'заполнен']),
  'quota dépassé',
  'cuota excedida',
  'quota superata',
  '邮箱已满',
  '信箱已滿',
  'メールボックスが一杯',
  'メールボックスがいっぱい',
  '메일함이 가득',
);

const ourThings = anyOf(
  'Adresse|Mailadresse|E-Mail-Adresse|Konto|Postfach|IP|Server|Domain|compte|boîte|serveur|domaine|cuenta|dirección|correo|buzón|' +
    'servidor|dominio|usuario|conta|endereço|domínio|usuário|account|indirizzo|casella|utente|server|adres|postbus|domein|' +
    'адрес|ящик|аккаунт|домен|сервер|адреса|скринька',
);

const hosts = anyOf(
  'Domain|Domäne|Server|Host|domaine|serveur|dominio|servidor|domínio|домен|сервер|domena|serwer|doména|domän|domein',
);

/** A sentence about domains or hosts, such as that of the recipient. */
export const hostsElsewhere = either(
  words(...spaced.map(({ person }) => `${hosts}(?: [^ ]+){0,2}? ${anyOf(person)}`)),
  phrases('服务器', '伺服器', '主机', '域名', 'サーバ', 'ドメイン', '서버', '도메인'),
);

/** A sentence about whoever sends. */
export const senderElsewhere = either(
  words(
    anyOf(
      'Absender…|expéditeur…|lexpéditeur…|dexpéditeur|émetteur…|lémetteur|remitente…|remetente…|mittente…|afzender…|avsändare…|avsender…|afsender…|nadawc…|' +
        'odesílatel…|odosielateľ…|feladó…|küldő…|expeditor…|gönderen…|отправител…|відправник…|подател…|lähettäjä…|' +
        'αποστολέα…|المرسل|فرستنده|השולח|người gửi|pengirim',
    ),
    `${anyOf('Ihr|Ihre|Ihrem|Ihrer|deine|dein|votre|vos|su|sus|tu|sua|seu|tua|suo|tuo|vostro|vostra|uw|jouw|ваш|ваша|ваше|вашего|Ваш|tvoj|váš|vaše')} (?:e ?mail )?${ourThings}`,
  ),
  phrases(
    ...['发件人', '发信人', '寄件人', '寄件者', '發件人', '發信人', '发送者', '您的', '你的'],
    ...['IP地址', 'IPアドレス', 'IP アドレス', 'IP 주소', 'IP주소'],
    ...['差出人', '送信者', '送信元', 'お客様の'],
    ...['발신자', '보낸', '보내는', '발송자', '귀하'],
    'ผู้ส่ง',
  ),
);

/** `or`, and then what has nothing to do with whether there is a mailbox. */
export const hedgedElsewhere = words(
  `${anyOf('oder|ou|o|of|lub|nebo|alebo|или|або|veya|vagy|sau|eller|atau')} (?:[^ ]+ ){0,2}?${anyOf(
    'Zugriff|verweigert|abgelehnt|voll|gesperrt|nicht erreichbar|vorübergehend|accès|refusé|plein|pleine|bloqué|acceso|denegado|' +
      'lleno|llena|bloqueado|acesso|negado|cheia|accesso|negato|piena|bloccato|toegang|geweigerd|vol|dostęp|pełna|доступ|' +
      'переполнен|запрещен|отклонен|temporair…|tempor…',
  )}`,
  anyOf('vielleicht|möglicherweise|peut-être|quizás|talvez|forse|misschien|возможно|может быть|eventuell'),
);

/** It may be otherwise later. */
export const laterElsewhere = phrases(
  ...['später', 'vorübergehend', 'zur Zeit', 'zurzeit', 'derzeit', 'momentan'],
  ...['réessayez', 'réessayer', 'plus tard', 'ultérieurement', 'temporairement', 'momentanément'],
  ...['más tarde', 'inténtelo de nuevo', 'temporalmente', 'tente novamente', 'mais tarde', 'temporariamente'],
  ...['riprova', 'riprovare', 'più tardi', 'temporaneamente', 'momentaneamente'],
  ...[
    'probeer het later',
    'later opnieuw',
    'tijdelijk',
    'spróbuj ponownie',
    'później',
    'tymczasowo',
    'chwilowo',
  ],
  ...['zkuste později', 'dočasně', 'försök igen', 'tillfälligt', 'prøv igen', 'midlertidigt', 'midlertidig'],
  ...['daha sonra', 'geçici', 'geçici olarak', 'позже', 'позднее', 'временно', 'тимчасово', 'átmenetileg'],
  ...[
    '稍后',
    '稍後',
    '请重试',
    '暂时',
    '暫時',
    'しばらくして',
    '後ほど',
    '一時的',
    '나중에 다시',
    '일시적',
    '잠시',
  ],
);
