import { foldText } from '../fold-text.ts';

// What servers write into their replies, as patterns over folded words (`foldText`): lower case, one space between words, no
// punctuation, `doesn't` as `doesnt`. English as grammar, other languages as phrases. From the standards' own sentences
// (RFC 5321 §4.2.3, RFC 3463 §3, RFC 7372) and from what the common servers and providers are known to say.

/** Says whether the words hold what the list is about. */
export type WordList = (words: string) => boolean;

/** Whole words only. */
function words(...alternatives: readonly string[]): WordList {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'u');
  return (text) => pattern.test(text);
}

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;

/** Phrases as people write them. Scripts without blanks between words match anywhere. */
function phrases(...given: readonly string[]): WordList {
  const folded = given.map(foldText);
  const within = folded.filter((phrase) => unspaced.test(phrase));
  const whole = words(...folded.filter((phrase) => !unspaced.test(phrase)));
  return (text) => whole(text) || within.some((phrase) => text.includes(phrase));
}

function either(...lists: readonly WordList[]): WordList {
  return (text) => lists.some((list) => list(text));
}

/** Every beginning with every end. */
function pairs(beginnings: readonly string[], ends: readonly string[]): readonly string[] {
  return beginnings.flatMap((beginning) => ends.map((end) => `${beginning} ${end}`));
}

/** Whoever mail is for; not the domain, host or syntax of one. */
const person =
  '(?:users?(?: ?names?| ?ids?)?|mail ?box(?:es)?|recipients?|accounts?|addressees?|address(?:es)?|e ?mails?|inbox|' +
  'alias(?:es)?|mail ?drop|local ?parts?|customers?|subscribers?|persons?|people|employees?|destinations?|rcpt)' +
  '(?! (?:domains?|hosts?|servers?|systems?|ips?|literals?|family|lists?|verification)(?![a-z]))';

/** What may stand between a noun and what is said of it without changing what it means. */
const between =
  '(?: (?:is|was|are|were|be|been|being|has|have|had|does|do|to|an?|the|this|that|which|who|you|your|we|it|i|us|here|of|on|in|' +
  'at|by|for|with|and|now|currently|permanently|already|either|just|also|no longer|longer|trying|tried|try|attempt(?:ed|ing)?|' +
  'reach|reached|send|sent|sending|contact|contacting|deliver|delivering|write|writing|specified|given|requested|intended|' +
  'indicated|entered|supplied|provided|associated|destination|target|local|virtual|final|e|mail|email|address|account|' +
  'mailbox|user|recipient|recipients|name|id|part|message|messages|seems|appears|located|redacted|our|s|[0-9]+))*';

/** What may stand before the noun. */
const qualifiers =
  '(?:(?:local|virtual|internal|active|valid|live|real|final|user|recipient|mailbox|account|destination|target|to|rcpt|e|mail|' +
  'email|smtp|domain|system|or|and|this|that|the|name|address|forward|exchange|directory|redacted|rfc|[0-9]+) ){0,3}';

/** The server says in English that there is nobody of that name. One sentence at a time. */
const unknownInEnglish = words(
  `no (?:such|valid|known|existing|matching|active) ${qualifiers}${person}`,
  `no ${person} (?:here|by (?:that|this)|with (?:that|this|such)|at (?:that|this)|for (?:that|this)|named|called|found|exists?|matching|matches)`,
  `no ?(?:one|body) (?:here )?(?:by|with|of|at) (?:that|this)`,
  `no ${person} (?:is )?(?:currently )?available for`,
  `not found ${person}`,
  `there is no ${qualifiers}${person}`,
  `unknown (?:or (?:illegal|invalid|inactive|disabled|unavailable) )?${qualifiers}${person}`,
  `(?:invalid|bad|wrong|incorrect|illegal|non ?existent|non ?existing|inexistent|undeliverable|unrout(?:e)?able|unrecogni[sz]ed|unresolvable) ${qualifiers}${person}`,
  `${person}${between} (?:unknown|invalid|incorrect|wrong|non ?existent|non ?existing|inexistent|undeliverable|unrout(?:e)?able|unrecogni[sz]ed|misspell?ed)`,
  `${person}${between} not (?:be )?(?:found|known|exist(?:s|ing|ed|ent)?|present|valid|recogni[sz]ed|registered|listed|defined|located)`,
  `${person}${between} (?:doesnt|dosnt|dont|didnt|isnt|arent|cant|couldnt|cannot|can not|could not|does not|do not|did not)(?: be)? (?:exists?|existing|existed|valid|known|found|be found|listed|located|recogni[sz]ed|registered)`,
  `${person}${between} (?:no longer|not any ?more|no more)${between} (?:exists?|existing|works?|working|employed|with|at|here|on|a (?:customer|user|member|employee))`,
  `${person}${between} (?:left|moved|departed)`,
  `(?:is|are|was) ?(?:nt|not) an? (?:valid|known|existing|recogni[sz]ed|real|active) ${qualifiers}${person}`,
  `not an? (?:valid|known|existing|recogni[sz]ed|real|active) ${qualifiers}${person}`,
  `not (?:one of )?our (?:customers?|users?|clients?|members?|subscribers?)`,
  `(?:cannot|can not|cant|could not|couldnt|unable to|failed to) (?:find|locate|identify|recogni[sz]e|match)${between} ${person}`,
  `(?:cannot|can not|cant|could not|couldnt|unable to|failed to) (?:find|locate|identify|recogni[sz]e|match)${between} redacted`,
  `(?:does not|doesnt|do not|dont) have (?:an?|any|such an?) (?:[^ ]+ )?${person}`,
  // The frame in which Postfix puts the reason of a restriction, and the standard's own sentence for 550 with nothing beside it.
  'recipient address rejected (?:unknown|invalid(?: recipient)?|non ?existent|not found)(?: redacted)*$',
  '^(?:redacted )*(?:requested (?:mail )?action (?:not taken|aborted) )?(?:mail ?box|account)(?: redacted)* (?:is |was )?(?:unavailable|not available)(?: [0-9a-z]*[0-9][0-9a-z]*)*(?: for (?:an |more |further )?(?:explanations?|details|information)(?: [a-z]+)*)?$',
  `redacted(?: (?:is|was|does|has|to|address|e|mail|email))* (?:unknown|not (?:found|known|exist|a known|a valid|listed)|doesnt exist|non ?existent|invalid(?=$))`,
);

const unknownElsewhere = phrases(
  // German
  ...pairs(
    [
      'Benutzer',
      'Empfänger',
      'Empfaenger',
      'Teilnehmer',
      'Nutzer',
      'Postfach',
      'Mailbox',
      'Adresse',
      'Konto',
    ],
    ['unbekannt', 'nicht bekannt', 'nicht gefunden', 'existiert nicht', 'nicht vorhanden', 'ist unbekannt'],
  ),
  ...pairs(['unbekannter', 'kein solcher', 'ungültiger'], ['Benutzer', 'Empfänger', 'Nutzer', 'Teilnehmer']),
  ...pairs(['unbekannte', 'keine solche', 'ungültige'], ['Adresse', 'Empfängeradresse', 'E-Mail-Adresse']),
  // French
  ...pairs(
    [
      "l'utilisateur",
      "l'adresse",
      'utilisateur',
      'destinataire',
      'compte',
      'adresse',
      'boîte aux lettres',
      'boîte',
    ],
    ['inconnu', 'inconnue', 'inexistant', 'inexistante', 'introuvable', "n'existe pas", 'invalide'],
  ),
  ...pairs(['aucun'], ['utilisateur', 'destinataire', 'compte']),
  "adresse d'au moins un destinataire invalide",
  'adresse d au moins un destinataire invalide',
  // Spanish and Portuguese
  ...pairs(
    ['usuario', 'destinatario', 'buzón', 'buzón de correo', 'cuenta', 'dirección', 'casilla'],
    ['desconocido', 'desconocida', 'no existe', 'inexistente', 'no encontrado', 'no encontrada', 'inválido'],
  ),
  ...pairs(
    ['no existe', 'no existe el', 'no existe la', 'no existe ese', 'no existe este', 'no existe dicha'],
    ['usuario', 'buzón', 'cuenta', 'destinatario', 'persona'],
  ),
  ...pairs(
    ['usuário', 'destinatário', 'caixa postal', 'conta', 'endereço', 'caixa de correio'],
    [
      'desconhecido',
      'desconhecida',
      'não existe',
      'inexistente',
      'não encontrado',
      'não encontrada',
      'inválido',
    ],
  ),
  // Italian
  ...pairs(
    ['utente', 'destinatario', 'casella', 'casella di posta', 'account', 'indirizzo', 'mailbox'],
    ['sconosciuto', 'sconosciuta', 'inesistente', 'non esiste', 'non trovato', 'non trovata', 'non valido'],
  ),
  // Dutch and Scandinavian
  ...pairs(
    ['gebruiker', 'ontvanger', 'postbus', 'mailbox', 'adres', 'account'],
    ['onbekend', 'bestaat niet', 'niet gevonden'],
  ),
  ...pairs(['onbekende'], ['gebruiker', 'ontvanger']),
  ...pairs(['användaren', 'mottagaren', 'adressen'], ['finns inte', 'är okänd', 'hittades inte']),
  ...pairs(
    ['okänd', 'ukendt', 'ukjent'],
    ['användare', 'mottagare', 'bruger', 'modtager', 'bruker', 'mottaker'],
  ),
  ...pairs(['brugeren', 'modtageren', 'brukeren', 'mottakeren'], ['findes ikke', 'finnes ikke']),
  ...pairs(['tuntematon'], ['vastaanottaja', 'käyttäjä']),
  // Polish, Czech, Hungarian, Romanian, Turkish
  ...pairs(
    ['użytkownik', 'adresat', 'odbiorca', 'skrzynka', 'konto', 'adres'],
    ['nieznany', 'nie istnieje', 'nieznaleziony', 'nie znaleziony'],
  ),
  ...pairs(['nie ma takiego', 'brak takiego', 'nieznany'], ['użytkownika', 'konta', 'adresu', 'użytkownik']),
  ...pairs(['uživatel', 'schránka', 'adresa', 'příjemce'], ['neexistuje', 'nenalezen', 'neznámý']),
  ...pairs(['neznámý'], ['uživatel', 'adresát', 'příjemce']),
  ...pairs(['ismeretlen', 'nem létező'], ['felhasználó', 'címzett', 'cím']),
  ...pairs(['utilizator', 'destinatar'], ['necunoscut', 'inexistent']),
  ...pairs(
    ['kullanıcı', 'alıcı', 'böyle bir kullanıcı', 'posta kutusu'],
    ['bulunamadı', 'yok', 'mevcut değil'],
  ),
  // Russian and Ukrainian
  ...pairs(
    ['пользователь', 'получатель', 'адресат', 'почтовый ящик', 'ящик', 'адрес', 'аккаунт'],
    ['не найден', 'не существует', 'неизвестен', 'не зарегистрирован'],
  ),
  ...pairs(
    ['нет такого', 'неизвестный', 'неверный'],
    ['пользователя', 'пользователь', 'получатель', 'адресат', 'ящика'],
  ),
  'такого пользователя нет',
  ...pairs(['користувач', 'отримувач', 'адресат'], ['не знайдений', 'не існує', 'невідомий']),
  // Chinese, Japanese, Korean
  ...['用户', '用戶', '收件人', '收件人地址', '邮箱', '信箱', '帐号', '账号', '帳號', '该用户'].flatMap(
    (noun) => [`${noun}不存在`, `${noun}未找到`, `${noun}无效`],
  ),
  '无此用户',
  '查無此人',
  ...['ユーザー', 'ユーザ', '宛先', 'メールボックス', 'アドレス', '受信者'].flatMap((noun) => [
    `${noun}が存在しません`,
    `${noun}は存在しません`,
    `${noun}が見つかりません`,
    `${noun}不明`,
  ]),
  '존재하지 않는 사용자',
  '존재하지 않는 계정',
  '사용자를 찾을 수 없',
  '수신자를 찾을 수 없',
  // Vietnamese, Indonesian
  'người dùng không tồn tại',
  ...pairs(['pengguna', 'penerima'], ['tidak ditemukan', 'tidak dikenal', 'tidak ada']),
);

/** The server says that there is nobody of that name. */
export const saysUnknown = either(unknownInEnglish, unknownElsewhere);

/** The server says that the mailbox was there and takes no mail any more. */
export const saysDisabled = either(
  words(
    `${person}${between} (?:disabled|deactivated|de activated|inactive|suspended|closed|terminated|cancell?ed|deleted|expired|abandoned|discontinued|decommissioned|archived|retired|dormant|not (?:active|enabled|in use|in service))`,
    `(?:account|mail ?box|inbox)${between} locked`,
    `${person}${between} no longer${between} (?:active|available|valid|used|use|service|accept(?:s|ing|ed)?|receiv(?:es?|ing)|monitored|enabled|maintained|supported)`,
    `(?:disabled|deactivated|inactive|suspended|closed|terminated|expired|archived) ${qualifiers}${person}`,
    'recipient address rejected (?:inactive|disabled|deactivated|suspended|closed|expired)(?: redacted)*$',
    `${person}${between} (?:blocked|disabled|locked|closed|suspended|unavailable) (?:due to|because of|for|after) (?:[a-z]+ ){0,2}?(?:inactivity|non ?use|disuse|non ?payment)`,
  ),
  phrases(
    ...pairs(
      ['Postfach', 'Konto', 'Benutzer', 'Mailbox'],
      ['deaktiviert', 'ist deaktiviert', 'geschlossen', 'gelöscht'],
    ),
    ...pairs(
      ['compte', 'boîte', 'utilisateur'],
      ['désactivé', 'désactivée', 'fermé', 'clôturé', 'suspendu', 'inactif'],
    ),
    ...pairs(
      ['cuenta', 'usuario', 'buzón'],
      ['desactivada', 'deshabilitada', 'deshabilitado', 'suspendida', 'inactiva'],
    ),
    ...pairs(
      ['conta', 'usuário', 'caixa postal'],
      ['desativada', 'desativado', 'suspensa', 'inativa', 'inativo'],
    ),
    ...pairs(
      ['casella', 'utente', 'account'],
      ['disattivata', 'disabilitata', 'disabilitato', 'sospesa', 'non attivo'],
    ),
    ...pairs(['konto', 'skrzynka'], ['nieaktywne', 'nieaktywna', 'zablokowane', 'usunięte']),
    ...pairs(
      ['ящик', 'почтовый ящик', 'аккаунт', 'пользователь'],
      ['отключен', 'удален', 'заблокирован', 'деактивирован'],
    ),
    ...['用户', '邮箱', '帐号', '账号', '帐户'].flatMap((noun) => [
      `${noun}已停用`,
      `${noun}被禁用`,
      `${noun}已禁用`,
    ]),
  ),
);

/** What takes a sentence back: `mailbox not found or access denied`, `may not exist`. */
export const hedges = words(
  'or (?:[a-z]+ ){0,3}?(?:access|denied|polic(?:y|ies)|blocked|blacklisted|not (?:allowed|permitted|authori[sz]ed|accepted|accepting|available)|refused|rejected|relay(?:ing)?|restricted|full|over ?quota|temporar(?:y|ily)|busy|unavailable|spam)',
  '(?:may|might) (?:not|be|have|contain)|could (?:be|have)|possibly|perhaps|probably',
  'password|credentials',
);

/** It may be otherwise tomorrow. */
export const isForNow = words(
  'temporar(?:y|ily)|at (?:this|the) (?:time|moment)|momentarily|try again|try later',
);

/** Examples and stock sentences of RFC 5321 §4.2.3, which servers repeat without meaning any one of them. */
export const stockSentences =
  /(?:eg )?mailbox (?:not found|busy|unavailable) no access(?: or command rejected(?: for policy reasons)?)?|mailbox busy or temporarily blocked for policy reasons|mailbox name (?:is )?not allowed|(?:eg )?mailbox syntax incorrect/gu;

/** A sentence about whoever sends, connects or names itself, or about the names of hosts; not about the recipient. */
export const speaksOfSender = words(
  'senders?(?! (?:has|have) been (?:notified|informed))',
  'sending(?! (?:to|mail to|e ?mail to|messages? to|your|this|the|it))',
  'originat(?:or|ing)',
  'client(?! (?:may|will))',
  '(?:remote|connecting|sending|your) (?:host|ip|mta|server|address|domain|mx)',
  'mail from|from address|return ?path|reverse ?path|envelope from|from (?:header|domain|us|ip)|reply to|headers?|message contains|source routes?',
  'helo|ehlo',
  'ip(?:v[46])?|ip ?address(?:es)?',
  'ptr|rdns|reverse (?:dns|lookup|hostname|ip|mapping|record|address|resolution)|dns|hostname|fqdn|mx records?',
  'your (?:ip|host|hostname|server|mail ?server|smtp|mta|network|domain|isp|dns|ptr|account|address|e ?mail ?address|e ?mail account|mailbox|provider|organi[sz]ation|system|computer|subnet|connection|user|client|organization)(?! admin)',
  '(?<!recipient )(?<!address )verif(?:y|ication) (?:failed|failure|error)|call ?outs?|call ?backs?|unverified|unverifiable',
);

/** The sender is not who it says, is known for spam, or comes from where nobody should send. */
export const refusesSender = words(
  'spf|dkim|dmarc|arc|domain ?keys|sender ?id|sender policy framework',
  'unauthenticated|authenticat(?:e|ed|ion|ing)',
  'ptr|rdns|fcrdns|reverse (?:dns|lookup|hostname|ip|mapping|record|address|resolution|path)|no reverse|forward confirmed',
  'dynamic (?:ip|address|range|pool|host|dns|block)|dial ?up|residential|dsl|consumer (?:ip|range)',
  'reputations?|poorly rated|untrusted|low trust',
  'spam(?!trap free)|spam(?:mer|mers|ming|my|trap|traps)|unsolicited|junk|bulk|uce|ube|virus(?:es)?|malware|phish(?:ing)?|malicious|suspicious|abus(?:e|ive)',
  'black ?list(?:ed|s|ing|ings)?|block ?list(?:ed|s|ing|ings)?|deny ?list(?:ed|s)?|dnsb?l|rbls?|dnsbls?|rhsbl|black ?hole|delist(?:ed|ing)?|local (?:black|block|deny)list',
  '(?<!not )listed (?:in|on|at|by)',
  'banned|blocked (?:using|(?:due to|because of|for)(?! (?:[a-z]+ )?(?:inactivity|non ?use|disuse|non ?payment))|from|at|by(?! (?:the |its )?(?:recipient|user|polic)))',
  'open (?:relay|proxy)|botnet|infected|compromised|backscatter',
  '(?:client host|helo command|ehlo command|sender address|sender|sending domain|from address|connection|connections?) (?:was |were |is |are |has been )?(?:rejected|refused|denied|blocked|dropped|closed|not (?:accepted|allowed))',
  'sender (?:verif(?:y|ied|ication)|address|domain)|(?<!recipient )(?<!address )verif(?:y|ication) failed|call ?out|call ?back',
  '(?:mails?|e ?mails?|messages?|connections?|traffic) from (?:us|your|this (?:ip|host|server|domain|network|sender)|ip|the ip|hosts?|untrusted|unknown|sender|(?:x|[0-9]+) [0-9x]+ [0-9x]+ [0-9x]+)',
  'complaints?|blacklisted',
  'your (?:ip|host|hostname|server|mail ?server|mta|network|domain|isp|dns|ptr|helo|ehlo|subnet|reverse)(?! admin)',
  'helo|ehlo',
);

/** Names of block lists and of services that rate senders, as they stand in links and host names too. */
export const blockLists =
  /spamhaus|spamcop|barracudacentral|barracuda ?reputation|sorbs|uceprotect|invaluement|surriel|mailspike|senderscore|sender ?score|returnpath|spamrats|dronebl|abuseat|backscatterer|nixspam|dnsbl|\brbl\b|hostkarma|abusix|lashback|gbudb|surbl|uribl|spfbl|mail-?abuse|ers\.trendmicro|cloudmark|senderbase|talosintelligence|ipcheck|ipremove|cloudfilter|trustedsource|0spam|njabl|wpbl|spameatingmonkey|spamcannibal|justspam|blocklist\.de|sndsc|postmaster\.live|senderrequest|sender-?block|delist/u;

/** We ask too often, or too much at once. */
export const saysTooFast = words(
  'rate ?limit(?:s|ed|ing)?|rate ?control|throttl(?:e|ed|ing)',
  'too many (?:[a-z]+ )?(?:connections?|concurrent|simultaneous|sessions?|messages?|mails?|e ?mails?|errors?|invalid|unknown|bad|failed|attempts?|requests?|commands?|recipients?|rcpts?|deliver(?:y|ies)|transactions?|users?)',
  'too (?:fast|quickly|frequent(?:ly)?|often|much (?:mail|traffic|e ?mail))',
  '(?:hourly|daily|hour|minute) (?:[a-z]+ )?(?:limits?|quotas?|rates?)|per (?:hour|minute|day|second)',
  'exceed(?:s|ed|ing)? (?:[a-z0-9]+ ){0,4}?(?:rates?|connections?|throughput)|(?:sending|outgoing|outbound) quotas?',
  '(?:sending|message|mail|connection|traffic|request|smtp|recipient) (?:rate|limit|volume)s?',
  '(?:unusual|unexpected|high) (?:rate|volume)|slow down|excessive|flood(?:ing|ed)?|concurren(?:t|cy)|simultaneous',
  'limit (?:on|of) (?:[a-z]+ )?(?:connections?|messages?|recipients?)',
  'connection limit|max(?:imum)? (?:number of )?(?:connections?|sessions?)',
);

/** The recipient gets mail too fast: it is there. */
export const saysRecipientGetsTooMuch = words(
  'receiving (?:mail|e ?mail|messages?) (?:at a rate|too (?:quickly|fast|often))',
  `${person}${between} (?:receiv(?:ed|ing)|gett?ing|getting) too (?:many|much)`,
  `${person}${between} (?:rate limit(?:ed)?|receive limit|message receive limit)`,
  'recipients? (?:per hour |hourly |daily )?(?:message )?receive limit',
  'recipient ?rate ?limit',
);

/** The mailbox itself is blocked, not who writes to it. */
export const saysMailboxBlocked = words(`(?:mail ?box|account|inbox)${between} (?:blocked|locked|frozen)`);

/** The mailbox is full. */
export const saysFull = either(
  words(
    'over ?quota|over (?:the |its |their |his |her )?(?:[a-z]+ )?(?:quota|storage)',
    'quota (?:is |has been |was |would be )?(?:exceeded|full|reached|violation|exhausted)|(?:out of|exceed(?:s|ed|ing)?) (?:[a-z]+ ){0,4}?quota|exceeded quota|insufficient quota',
    `${person}${between} (?:too )?full`,
    `full ${person}`,
    `(?:exceed(?:s|ed|ing)?|reached|over) (?:[a-z]+ ){0,4}?(?:storage|disk|mailbox size|mailbox limit|size limit of (?:the )?mailbox)`,
    '(?:mailbox|storage|disk|inbox) (?:size |space |storage )?(?:limit|allocation|quota)',
    `(?:not enough|insufficient|no) (?:[a-z]+ ){0,2}?(?:space|storage) (?:[a-z]+ ){0,3}?${person}`,
    `${person}${between} (?:out of|no) (?:[a-z]+ )?(?:space|storage)`,
    'too many (?:messages|mails) (?:[a-z]+ ){0,2}?(?:in|on) (?:[a-z]+ ){0,2}?(?:mailbox|inbox|maildrop|disk)',
  ),
  phrases(
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
  ),
);

/** The domain is not this server's. */
export const refusesDomain = either(
  words(
    'relay(?:ing)?(?: access| to (?:[a-z]+ ){0,2}?)? ?(?:is |was )?(?:denied|not (?:permitted|allowed|authori[sz]ed|enabled|accepted|supported)|prohibited|refused|rejected|forbidden|disabled|blocked|failed)',
    '(?:unable|not (?:allowed|permitted|authori[sz]ed|going|able)|refus(?:e|es|ed|ing)|cannot|can not|cant|will not|wont|do not|dont|does not|doesnt) (?:to )?relay',
    'no relay(?:ing)?|we do not relay|not (?:a |an )?(?:open )?relay',
    'rcpt ?hosts',
    'domains? (?:[a-z]+ ){0,2}?(?:not|isnt) (?:[a-z]+ ){0,3}?(?:hosted|local|served|handled|accepted|configured|found|known|supported|listed|valid|exist|ours?|here|permitted|allowed|responsible)',
    'domain (?:does not exist|doesnt exist|(?:is )?unknown|(?:is )?invalid|(?:is )?disabled|(?:is )?suspended|(?:has )?expired)',
    '(?:unknown|invalid|no such|bad|wrong|unsupported|nonlocal|non ?local) (?:[a-z]+ )?(?:domain|host)',
    '(?:not|no|dont|doesnt|never) (?:[a-z]+ )?(?:accept(?:ing|ed|s)?|host(?:ing|ed|s)?|handl(?:e|ing|es)|serv(?:e|ing|es)|responsible) (?:[a-z]+ ){0,4}?(?:domains?)',
    'host (?:unknown|not found)|not (?:an? )?(?:mx|mail exchanger|mail server) for',
    'not (?:a )?local (?:domain|host)',
  ),
  phrases('Relaying verboten', 'kein Relay', 'relais interdit', 'relay no permitido', 'domaine inconnu'),
);

/** The recipient is there and chooses from whom it takes mail. */
export const refusesByChoice = words(
  `${person}${between} (?:only accepts?|accepts? (?:mail|e ?mail|messages?) only|only receives?)`,
  `(?:only|just) (?:[a-z]+ ){0,4}?(?:members|subscribers|internal|authori[sz]ed senders|allowed senders|approved senders|moderators)`,
  '(?:restricted|private|internal|closed|protected|moderated) (?:recipient|address|mailing list|list|group|distribution list)',
  `${person}${between} (?:restricted|protected)`,
  '(?:not|arent|isnt) (?:allowed|authori[sz]ed|permitted|able) to (?:send|post|mail|write|e ?mail|contact|deliver) (?:[a-z]+ ){0,4}?(?:this|that|the|to) ?(?:[a-z]+ )?(?:recipient|group|list|address|mailbox|user|person|member)',
  '(?:blocked|refused|rejected|declined) by (?:the |this )?(?:recipients?|users?|addressee|mailbox owner|owner)(?! polic)',
  `${person}${between} (?:blocked|rejected|refused|declined) (?:you|your|(?:mail|e ?mail|messages?) from)(?! (?:recipient|user))`,
  `(?:does not|doesnt|will not|wont|do not|not) (?:wish to |want to )?(?:accept|receive|accepting|receiving) (?:[a-z]+ )?(?:mail|e ?mail|messages?) (?:from (?:you|outside|external|unknown|this|your|strangers|the)|outside)`,
  'internal (?:use|mail|senders?|recipients?) only|outside (?:the|your|this) organi[sz]ation',
  'resolver rst|sendernotauthenticatedforgroup|notauthori[sz]ed',
  '(?:mailing|distribution) list|challenge response|white ?list(?:ed|s)?',
);

/** Somebody's rules stand against it, whosever they are. */
export const speaksOfRules = words(
  'polic(?:y|ies)|administrat(?:ive|ively)|prohibit(?:s|ed|ion)?|forbidden|not (?:authori[sz]ed|allowed|permitted|welcome|accepted here)',
  'access (?:is )?denied|permission denied|denied|unauthori[sz]ed|blocked|block|banned|ban|(?:message|mail|delivery|transaction|service) (?:refused|rejected)|security|filter(?:ed|ing|s)?|blacklist|content|attachment|violat(?:ion|es|ed|ing)?|reject(?:ed)? (?:due|because|for|as)|restrict(?:ed|ions?)',
  'must (?:be )?(?:authenticate|issue|use|log ?in)|log ?in first|pop (?:before|first)|starttls|tls|encryption|encrypted',
  'do not (?:contact|send|mail|accept)|unwanted|not accept(?:ing)? (?:mail|messages|e ?mail)',
);

/** Access is refused by a rule: beside it, a word on the recipient is no longer the whole reason. */
export const deniesAccess = words(
  'polic(?:y|ies)|administrat(?:ive|ively)|prohibit(?:s|ed|ion)?|forbidden|access (?:is )?denied|permission denied|denied|not (?:welcome|allowed to)|(?:do not|dont) want',
);

/** The server wants a secured connection. */
export const wantsEncryption = words(
  'starttls|(?:tls|ssl|encryption|encrypted)(?: [a-z]+){0,2} (?:required|needed|mandatory)|must (?:[a-z]+ ){0,3}?(?:tls|encrypted)',
);

/** The server calls it greylisting. */
export const saysGreylisted = words(
  'gr[ae]y ?list(?:ed|ing|s|er)?|[a-z]*gr[ae]ylist[a-z]*|post ?grey|gr[ae]y list',
);

/** The server asks for patience. */
export const asksToWait = either(
  words(
    'try (?:it |again|later|back|sending|your|this|the)|(?:re ?)?try|retr(?:y|ies|ied|ying)|again (?:in|later|after|soon|at)|later|come back|re ?send|re ?attempt|re ?connect',
    'wait|patien(?:t|ce)|delay(?:ed|s|ing)?|defer(?:red|ring|ral|s)?|postpone(?:d)?|temporar(?:y|ily)|not yet|too (?:early|soon)|initial(?:ly)?',
    '(?:in|for|after|within) (?:[a-z]+ ){0,2}?[0-9]+ ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)|[0-9]+ ?(?:seconds?|secs?|minutes?|mins?) (?:left|remaining|to go|delay)|few (?:seconds|minutes)',
    'first (?:time|contact|attempt|connection|seen)|new (?:triplet|sender|client|host|peer)|triplets?|unknown (?:triplet|peer)|not seen before|never seen',
  ),
  phrases(
    ...['später erneut', 'später noch einmal', 'später wieder', 'bitte später', 'versuchen sie es später'],
    ...['réessayez plus tard', 'réessayer', 'veuillez essayer plus tard', 'plus tard', 'ultérieurement'],
    ...['más tarde', 'inténtelo de nuevo', 'intente más tarde', 'tente novamente', 'mais tarde'],
    ...[
      'riprova',
      'riprovare',
      'più tardi',
      'probeer het later',
      'later opnieuw',
      'spróbuj ponownie',
      'później',
    ],
    ...['zkuste později', 'försök igen', 'prøv igen', 'daha sonra', 'позже', 'попробуйте позднее'],
    ...['稍后', '稍後', '请重试', 'しばらくして', '後ほど', '나중에 다시'],
  ),
);

/** The server has trouble of its own. */
export const hasTrouble = words(
  'local (?:problem|error|configuration)|(?:lookup|look up) (?:failure|failed|error)|lookup|resources?|out of memory|disk|maintenance|database|ldap|mysql|directory',
  '(?:system|server|service|host|mta|backend|queue|content scanner) (?:is |was |are |temporarily |currently |not |too )*(?:error|busy|unavailable|available|problem|failure|overload(?:ed)?|load|down|storage|resources|timeout|misconfigured|configuration)',
  'internal (?:server )?(?:error|problem|failure)|unexpected (?:error|failure)|time ?out|timed out|overload(?:ed)?|high load|shutting down|closing|misconfigur(?:ed|ation)|insufficient|not accepting (?:messages|network messages)|queue',
);

/** The reply has a word for whom it is about. */
export const namesMailbox = words(
  '(?:users?|mail ?box(?:es)?|recipients?|accounts?|addressees?|address(?:es)?|alias(?:es)?|inbox|rcpt|empfanger|benutzer|postfach|destinataire|utilisateur|destinatario|usuario|utente|casella|buzon)',
);

/** The address is refused, without a word on why. */
export const refusesAddress = words(`${person}${between} (?:rejected|refused|unavailable|not accepted)`);

/** The reply says no, without saying why. */
export const refuses = words(
  '(?:rejected|refused|unavailable|denied|not (?:available|accepted|valid|local)|declined|failed|invalid|unacceptable)',
);

/** Too many recipients in one transaction: not about any of them (RFC 5321 §4.5.3.1.10). */
export const saysTooManyRecipients = words(
  'too many (?:[a-z]+ )?(?:recipients?|rcpts?)|recipients? (?:count )?limit',
);
