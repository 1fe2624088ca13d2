import {
  disabledElsewhere,
  fullElsewhere,
  hedgedElsewhere,
  hostsElsewhere,
  laterElsewhere,
  senderElsewhere,
  unknownElsewhere,
} from './reply-languages.ts';
import { either, phrases, words } from './word-list.ts';

// What servers write into their replies, as patterns over folded words (`foldText`): lower case, one space between words, no
// punctuation, `doesn't` as `doesnt`. From the standards' own sentences (RFC 5321 §4.2.3, RFC 3463 §3, RFC 7372) and from what the
// common servers and providers are known to say.

/** Words for a recipient; not for its domain, host or syntax. */
const person =
  '(?:users?(?: ?names?| ?ids?)?|mail ?box(?:es)?|recipients?|accounts?|addressees?|address(?:es)?|e ?mails?|inbox|' +
  'alias(?:es)?|mail ?drop|local ?parts?|customers?|subscribers?|persons?|people|employees?|destinations?|rcpt)' +
  '(?! (?:domains?|hosts?|servers?|systems?|ips?|literals?|family|lists?|verification)(?![a-z]))';

/** Words between a noun and its predicate that do not change the meaning. */
const between =
  '(?: (?:is|was|are|were|be|been|being|has|have|had|does|do|to|an?|the|this|that|which|who|you|your|we|it|i|us|here|of|on|in|' +
  'at|by|for|with|and|now|currently|permanently|already|either|just|also|no longer|longer|trying|tried|try|attempt(?:ed|ing)?|' +
  'reach|reached|send|sent|sending|contact|contacting|deliver|delivering|write|writing|specified|given|requested|intended|' +
  'indicated|entered|supplied|provided|associated|destination|target|local|virtual|final|e|mail|email|address|account|' +
  'mailbox|user|recipient|recipients|name|id|part|message|messages|seems|appears|located|redacted|our|s|[0-9]+))*';

/** Words before the noun. */
const qualifiers =
  '(?:(?:local|virtual|internal|active|valid|live|real|final|user|recipient|mailbox|account|destination|target|to|rcpt|e|mail|' +
  'email|smtp|domain|system|or|and|this|that|the|name|address|forward|exchange|directory|redacted|rfc|[0-9]+) ){0,3}';

/** The server says in English that there is nobody of that name. One sentence at a time. */
const unknownInEnglish = words(
  `(?:no|any) (?:such|valid|known|existing|matching|active) ${qualifiers}${person}`,
  `no (?:local )?${person} (?:here|by (?:that|this)|with (?:that|this|such)|at (?:that|this)|for (?:that|this|redacted)|named|called|found|exists?|matching|matches)`,
  `no ?(?:one|body) (?:here )?(?:by|with|of|at) (?:that|this)`,
  `no ${person} (?:is )?(?:currently )?available for`,
  `not found ${person}`,
  `there is no ${qualifiers}${person}`,
  `unknown (?:or (?:illegal|invalid|inactive|disabled|unavailable) )?${qualifiers}${person}`,
  `(?:invalid|bad|wrong|incorrect|illegal|non ?existent|non ?existing|inexistent|undeliverable|unrout(?:e)?able|unrecogni[sz]ed|unresolvable) ${qualifiers}${person}`,
  `${person}${between} (?:unknown|invalid|incorrect|wrong|non ?existent|non ?existing|inexistent|undeliverable|unrout(?:e)?able|unrecogni[sz]ed|misspell?ed)`,
  `${person}${between} not (?:be )?(?:found|known|exist(?:s|ing|ed|ent)?|present|valid|recogni[sz]ed|registered|listed|defined|located|here|in (?:the|our|this|your) directory|in directory)`,
  `${person}${between} (?:doesnt|dosnt|dont|didnt|isnt|wasnt|arent|cant|couldnt|cannot|can not|could not|does not|do not|did not)(?: be)? (?:exists?|existing|existed|valid|known|found|be found|listed|located|recogni[sz]ed|registered)`,
  `(?:${person}|redacted)${between} (?:no longer|not any ?more|no more)${between} (?:exists?|existing|works?|working|employed|with|at|for|here|on|a (?:customer|user|member|employee))`,
  `(?:${person}|redacted)${between} (?:left|moved|departed)(?! to (?:an?|the|another|new) )`,
  `(?:is|are|was) ?(?:nt|not) an? (?:valid|known|existing|recogni[sz]ed|real|active) ${qualifiers}${person}`,
  `not an? (?:valid|known|existing|recogni[sz]ed|real|active) ${qualifiers}${person}`,
  `(?:is not|isnt|was not|wasnt) an? ${qualifiers}${person}(?! (?:unknown|error|problem))`,
  `(?:not registered|unregistered) ${qualifiers}${person}`,
  `not (?:one of )?our (?:customers?|users?|clients?|members?|subscribers?)`,
  `(?:cannot|can not|cant|could not|couldnt|does not|doesnt|unable to|failed to) (?:find|locate|identify|recogni[sz]e|match)${between} (?:${person}|redacted)`,
  // QQ, for every address that nobody has.
  'may contain a non existent account',
  `(?:does not|doesnt|do not|dont) have (?:an?|any|such an?) (?:[^ ]+ )?${person}`,
  // The frame in which Postfix puts the reason of a restriction.
  'recipient address rejected (?:unknown|invalid(?: recipient)?|non ?existent|not found)(?: redacted)*$',
  `redacted(?: (?:is|was|does|has|to|address|e|mail|email))* (?:unknown|not (?:found|known|exist|a known|a valid|listed)|doesnt exist|non ?existent|invalid(?=$))`,
);

/** The server says that there is nobody of that name. */
export const saysUnknown = either(unknownInEnglish, unknownElsewhere);

/** The standard's own sentence for 550, with nothing beside it but a pointer to an explanation. Of a whole reply. */
export const saysUnavailable = words(
  '^(?:redacted )*(?:requested (?:mail )?action (?:not taken|aborted) )?(?:user )?(?:mail ?box|account)(?: redacted)* ' +
    '(?:is |was )?(?:unavailable|not available)(?: or not found)?(?: [0-9a-z]*[0-9][0-9a-z]*)*' +
    '(?: (?:for (?:an |more |further )?(?:explanations?|details|information)|see|please|visit|more)(?: [a-z]+)*(?: [0-9a-z]*[0-9][0-9a-z]*)*)?$',
);

/** The server says that the mailbox was there and takes no mail any more. */
export const saysDisabled = either(
  words(
    `${person}${between} (?:disabled|deactivated|de activated|inactive|suspended|closed|terminated|cancell?ed|deleted|expired|abandoned|discontinued|decommissioned|archived|retired|dormant|frozen|not (?:active|enabled|in use|in service))`,
    `(?:user|account|mail ?box|inbox)${between} locked(?! by)`,
    `${person}${between} no longer${between} (?:active|available|valid|used|use|service|accept(?:s|ing|ed)?|receiv(?:es?|ing)|monitored|enabled|maintained|supported)`,
    `(?<!(?:connection|session|channel) (?:was |is )?)(?:disabled|deactivated|inactive|suspended|closed|terminated|expired|archived|deleted|former) ${qualifiers}${person}`,
    'recipient address rejected (?:inactive|disabled|deactivated|suspended|closed|expired)(?: redacted)*$',
    `${person}${between} (?:blocked|disabled|locked|closed|suspended|unavailable) (?:due to|because of|for|after) (?:[a-z]+ ){0,2}?(?:inactivity|non ?use|disuse|non ?payment)`,
  ),
  disabledElsewhere,
);

/** Phrases that weaken a statement: `mailbox not found or access denied`, `may not exist`, `whether the user exists`. */
export const hedges = either(
  words(
    'or (?:[a-z]+ ){0,3}?(?:access|denied|polic(?:y|ies)|blocked|blacklisted|not (?:allowed|permitted|authori[sz]ed|accepted|accepting|available)|refused|rejected|relay(?:ing)?|restricted|full|over ?quota|temporar(?:y|ily)|busy|unavailable|spam)',
    '(?:may|might) (?:not|be|have|mean|contain(?! a non existent account))|could (?:be|have|mean)|possibly|perhaps|probably',
    '^if|whether|cannot (?:say|tell)|not sure',
    'password|credentials|log ?[io]n',
  ),
  hedgedElsewhere,
);

/** It may be otherwise tomorrow. */
export const isForNow = either(
  words(
    'temporar(?:y|ily)|at (?:this|the) (?:time|moment)|momentarily|try again|try later|gr[ae]y ?list(?:ed|ing)?',
  ),
  laterElsewhere,
);

/** Examples and stock sentences of RFC 5321 §4.2.3, which servers repeat without meaning any one of them. */
export const stockSentences =
  /(?:eg )?mailbox (?:not found|busy|unavailable) no access(?: or command rejected(?: for policy reasons)?)?|mailbox busy or temporarily blocked for policy reasons|mailbox name (?:is )?not allowed|(?:eg )?mailbox syntax incorrect/gu;

/** A sentence about whoever sends, connects or names itself, or about the names of hosts; not about the recipient. */
export const speaksOfSender = either(
  senderElsewhere,
  words(
    'senders?(?! (?:has|have) been (?:notified|informed))',
    'sending(?! (?:to|mail to|e ?mail to|messages? to|your|this|the|it))',
    'originat(?:or|ing)',
    'client(?! (?:may|will))',
    '(?:remote|connecting|sending|your) (?:host|ip|mta|server|address|domain|mx)',
    'mail from|from address|return ?path|reverse ?path|envelope from|from (?:header|domain|us|ip)|mail command|(?<!in )reply to|(?:return|bounce) address|headers?|message contains|source routes?',
    'helo|ehlo',
    'ip(?:v[46])?|ip ?address(?:es)?',
    'ptr|rdns|reverse (?:dns|lookup|hostname|ip|mapping|record|address|resolution)|dns|hostname|fqdn|mx records?',
    'your (?:ip|host|hostname|server|mail ?server|smtp|mta|network|domain|isp|dns|ptr|account|address|e ?mail ?address|e ?mail account|mailbox|provider|organi[sz]ation|system|computer|subnet|connection|user|client|organization)(?! admin)',
    '(?<!recipient )(?<!address )verif(?:y|ication) (?:failed|failure|error)|call ?outs?|call ?backs?|unverified|unverifiable',
    'you (?:are|have|must|need)(?! (?:tried|trying|attempted|e ?mail(?:ed|ing)|reached|reaching|contact(?:ed|ing)|sen[dt](?:ing)?|looking|given|specified|entered|asked|the correct|an? (?:wrong|incorrect|misspell?ed)))|youre? not|you arent',
  ),
);

/** The sender is not who it says, is known for spam, or comes from where nobody should send. */
export const rejectsSender = either(
  senderElsewhere,
  words(
    'spf|dkim|dmarc|arc|domain ?keys|sender ?id|sender policy framework',
    'unauthenticated|authenticat(?:e|ed|ion|ing)|smtp ?auth|^auth|auth (?:failed|failure|required|error)|log ?[io]n (?:failed|required)',
    'ptr|rdns|fcrdns|reverse (?:dns|lookup|hostname|ip|mapping|record|address|resolution|path)|no reverse|forward confirmed',
    'dynamic (?:ip|address|range|pool|host|dns|block)|dial ?up|residential|dsl|consumer (?:ip|range)',
    'reputations?|poorly rated|untrusted|low trust',
    'spam(?!trap free)[a-z]*|honey ?pots?|tar ?pit(?:s|ted|ting)?|harvest[a-z]*|(?:dictionary|bounce) attacks?|unsolicited|junk|bulk|uce|ube|virus(?:es)?|malware|phish(?:ing)?|malicious|suspicious|abus(?:e|ive)',
    'black ?list(?:ed|s|ing|ings)?|block ?list(?:ed|s|ing|ings)?|deny ?list(?:ed|s)?|dnsb?l|rbls?|dnsbls?|rhsbl|black ?hole|delist(?:ed|ing)?|local (?:black|block|deny)list',
    '(?<!not )listed (?:in|on|at|by)',
    'banned|blocked (?:using|(?:due to|because of|for)(?! (?:[a-z]+ )?(?:inactivity|non ?use|disuse|non ?payment))|from|at|by(?! (?:the |its )?(?:recipient|user|polic)))',
    'open (?:relay|proxy)|botnet|infected|compromised|backscatter',
    '(?:client host|helo command|ehlo command|sender address|sender|sending domain|from address|connection|connections?) (?:was |were |is |are |has been )?(?:rejected|refused|denied|blocked|dropped|closed|terminated|not (?:accepted|allowed))',
    'sender (?:verif(?:y|ied|ication)|address|domain)|(?<!recipient )(?<!address )verif(?:y|ication) failed|call ?out|call ?back',
    '(?:mails?|e ?mails?|messages?|connections?|traffic) from (?:us|your|this (?:ip|host|server|domain|network|sender)|ip|the ip|hosts?|untrusted|unknown|sender|(?:x|[0-9]+) [0-9x]+ [0-9x]+ [0-9x]+)',
    'complaints?|(?:return|bounce) address|sender accounts?|sending denied|(?:invalid|bad) dns',
    'your (?:ip|host|hostname|server|mail ?server|mta|network|domain|isp|dns|ptr|helo|ehlo|subnet|reverse)(?! admin)',
    'helo|ehlo|you (?:are|arent) (?:not )?an? [a-z]+ user',
  ),
);

/** Our host, its address or its names, or a list of hosts that are refused. */
export const namesOurHost = words(
  '(?:your|sending|connecting|client|source|remote) (?:ip|host|hostname|server|mail ?server|mta|network|subnet|isp|dns|ptr|reverse|helo|ehlo|access to this mail system)',
  'ip (?:address|reputation)|this ip|dynamic ip|reputations?|ptr|rdns|reverse (?:dns|lookup|hostname|ip|mapping|record|resolution)|helo|ehlo',
  'black ?list(?:ed|s|ing|ings)?|block ?list(?:ed|s|ing|ings)?|block listed|dnsb?l|rbls?|dnsbls?|rhsbl|delist(?:ed|ing)?|open (?:relay|proxy)|botnet',
);

/** Names of block lists and of services that rate senders, as they stand in links and host names too. */
export const blockLists =
  /spamhaus|spamcop|barracudacentral|barracuda ?reputation|sorbs|uceprotect|invaluement|surriel|mailspike|senderscore|sender ?score|returnpath|spamrats|dronebl|abuseat|backscatterer|nixspam|dnsbl|\brbl\b|hostkarma|abusix|lashback|gbudb|surbl|uribl|spfbl|mail-?abuse|ers\.trendmicro|cloudmark|senderbase|talosintelligence|ipcheck|ipremove|cloudfilter|trustedsource|0spam|njabl|wpbl|spameatingmonkey|spamcannibal|justspam|blocklist\.de|sndsc|postmaster\.live|senderrequest|sender-?block|delist/u;

/** We ask too often, or too much at once. */
export const saysTooFast = words(
  'rate ?limit(?:s|ed|ing)?|rate ?control|throttl(?:e|ed|ing)',
  'too many (?:[a-z]+ ){0,2}?(?:connections?|concurrent|simultaneous|sessions?|messages?|mails?|e ?mails?|errors?|invalid|unknown|bad|failed|attempts?|requests?|commands?|recipients?|rcpts?|deliver(?:y|ies)|transactions?|users?)',
  '(?:unknown|recipient|user) (?:ratio|rate|percentage)|too (?:fast|quickly|frequent(?:ly)?|often|many times|much (?:mail|traffic|e ?mail))',
  '(?:hourly|daily|hour|minute) (?:[a-z]+ )?(?:limits?|quotas?|rates?)|per (?:hour|minute|day|second)',
  'exceed(?:s|ed|ing)? (?:[a-z0-9]+ ){0,4}?(?:rates?|connections?|throughput)|(?:sending|outgoing|outbound) quotas?',
  '(?:sending|message|mail|connection|traffic|request|smtp|recipient) (?:rate|limit|volume)s?',
  '(?:unusual|unexpected|high|excessive) (?:rate|volume|percentage|number|proportion)|(?:recipient|rcpt|user|frequency) (?:count |limit |rate |threshold )?(?:limit(?:ed)?|exceeded|reached|threshold)|slow down|excessive|flood(?:ing|ed)?|concurren(?:t|cy)|simultaneous',
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
  fullElsewhere,
);

/** A sentence about the domain or the server of somebody. */
export const speaksOfHosts = hostsElsewhere;

/** The domain is not this server's. */
export const rejectsDomain = either(
  words(
    'relay(?:ing)?(?: access| to (?:[a-z]+ ){0,2}?)? ?(?:is |was )?(?:denied|not (?:permitted|allowed|authori[sz]ed|enabled|accepted|supported)|prohibited|refused|rejected|forbidden|disabled|blocked|failed)',
    '(?:unable|not (?:allowed|permitted|authori[sz]ed|going|able)|refus(?:e|es|ed|ing)|cannot|can not|cant|will not|wont|do not|dont|does not|doesnt) (?:to )?relay',
    'no relay(?:ing)?|we do not relay|not (?:a |an )?(?:open )?relay',
    'rcpt ?hosts',
    'domains? (?:[a-z]+ ){0,2}?(?:not|isnt) (?:[a-z]+ ){0,3}?(?:hosted|local|served|handled|accepted|configured|found|known|supported|listed|valid|exist|ours?|here|permitted|allowed|responsible)',
    'domain (?:does not exist|doesnt exist|(?:is )?unknown|(?:is )?invalid|(?:is )?disabled|(?:is )?suspended|(?:has )?expired)',
    '(?:unknown|invalid|no such|bad|wrong|unsupported|nonlocal|non ?local) (?:(?:e ?mail|mail|recipients?|rcpt|destination|target|local|remote|internet|relay) )?(?:domain|host)',
    '(?:not|no|dont|doesnt|never) (?:[a-z]+ )?(?:accept(?:ing|ed|s)?|host(?:ing|ed|s)?|handl(?:e|ing|es)|serv(?:e|ing|es)|responsible) (?:[a-z]+ ){0,4}?(?:domains?)',
    `(?:domains?|hosts?|servers?|systems?|hosting) (?:(?:of|for) (?:the |this |that |your )?)?${person}`,
    'host (?:unknown|not found)|not (?:an? )?(?:mx|mail exchanger|mail server) for',
    'not (?:a )?local (?:domain|host)',
  ),
  phrases('Relaying verboten', 'kein Relay', 'relais interdit', 'relay no permitido', 'domaine inconnu'),
);

/** The recipient is there and chooses from whom it takes mail. */
export const rejectsByChoice = words(
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
  laterElsewhere,
);

/** A part of the server, and what is wrong with it. */
const serverError =
  '(?:system|server|service|host|mta|backend|queue|content scanner) (?:is |was |are |temporarily |currently |not |too )*(?:error|busy|unavailable|available|problem|failure|overload(?:ed)?|load|down|storage|resources|timeout|misconfigured|configuration)|' +
  'internal (?:server )?(?:error|problem|failure)|unexpected (?:error|failure)|time ?out|timed out|overload(?:ed)?|high load|shutting down|misconfigur(?:ed|ation)';

/** The server has trouble of its own. */
export const hasFailed = words(
  serverError,
  'local (?:problem|error|configuration)|(?:lookup|look up) (?:failure|failed|error)|lookup|resources?|out of memory|disk|maintenance|database|ldap|mysql|directory',
  'closing|insufficient|not accepting (?:messages|network messages)|queue',
);

/** The server could not look, whatever it says it has found. */
export const failsToCheck = words(
  '(?:lookup|look up|ldap|database|sql|directory|query|search|backend|system|internal|configuration) (?:server )?(?:failure|failed|error|timeout|unavailable)|error (?:while|when|during)|incorrectly configured|misconfigur(?:ed|ation)',
);

/** Postfix could not verify a recipient: what it says so in is the frame that it has for those who are not there. */
export const failsToVerify = words(
  'mail transport unavailable|undeliverable address (?:(?:host|connect|connection|conversation|mail for|lost|name service|delivery|temporary|cannot|could not|timed|timeout|loops|unable)(?!.* said )(?: .*)?)',
);

/** Says, of a refusal for good, that something is wrong where it was made: nothing in it is about a mailbox. */
export const reportsFailure = either(
  failsToCheck,
  words(
    serverError,
    // Not the `Error:` that some put in front of everything they say.
    '[^ ]+ (?:errors?|failures?|problems?|faults?)',
    'out of memory|maintenance|insufficient|busy|broken|(?:no|not enough) (?:[a-z]+ )?space|(?:storage|disk|spool|partition|volume|file ?system|server|system) (?:is )?full',
  ),
);

/** Says that another time may bring another answer, in more words than `isForNow` takes for it. */
export const putsOff = either(
  isForNow,
  words('defer(?:red|ring|ral|s)?|postponed?|delay(?:ed)?|later|again|not yet|wait|retry|for now'),
);

/** A word on how a mailbox fares, whatever is said of it. */
export const speaksOfState = words(
  'disabled|suspended|locked|closed|inactive|deactivated|expired|unknown|exists?',
);

/** The reply has a word for whom it is about. */
export const namesMailbox = words(
  '(?:users?|mail ?box(?:es)?|recipients?|accounts?|addressees?|address(?:es)?|alias(?:es)?|inbox|rcpt|empfanger|benutzer|postfach|destinataire|utilisateur|destinatario|usuario|utente|casella|buzon)',
);

/** The address is refused, without a word on why. What follows a refusal is a reason, known or not: Postfix frames all of its own so. */
export const rejectsAddress = words(
  `${person}${between} (?:rejected|refused|unavailable|not accepted)(?: redacted| [0-9a-z]*[0-9][0-9a-z]*)*$`,
);

/** Too many recipients in one transaction: not about any of them (RFC 5321 §4.5.3.1.10). */
export const saysTooManyRecipients = words(
  'too many (?:[a-z]+ )?(?:recipients?|rcpts?)|recipients? (?:count )?limit',
);

/** One recipient a transaction, whatever the code: not about whoever came second. */
export const wantsOneRecipient = words(
  '(?:only |just )?(?:one|1|a single) (?:recipients?|rcpts?|address(?:es)?|users?)(?: [a-z]+){0,2}? (?:per|at a|in (?:a|one|each)|for each|each|allowed|permitted|accepted)(?: [a-z]+)*',
  '(?:only|just) (?:one|1|a single) (?:recipients?|rcpts?)|(?:single|one) recipient only|multiple recipients',
  '^(?:error )?too many (?:recipients?|rcpts?)(?: (?:in|for|per) (?:this|the|a|one|each)? ?(?:message|mail|transaction|session|envelope|e ?mail))?$',
);
