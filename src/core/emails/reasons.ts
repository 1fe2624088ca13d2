/** Stage at which a reason was found. */
export type ReasonStage = 'syntax' | 'domain' | 'smtp' | 'policy' | 'quality';

/** Subject of a reason. Only a reason about the recipient or its domain can make an address invalid. */
export type ReasonAbout = 'recipient' | 'domain' | 'sender' | 'network' | 'policy';

interface ReasonInfo {
  readonly stage: ReasonStage;
  readonly about: ReasonAbout;
  /** True when a later check may give another answer. */
  readonly retryable: boolean;
  /** For people. */
  readonly words: string;
}

type Data<Stage extends ReasonStage> = ReasonInfo & { readonly stage: Stage };

function reason<Stage extends ReasonStage>(stage: Stage, about: ReasonAbout, words: string): Data<Stage> {
  return { stage, about, retryable: false, words };
}

function passing<Stage extends ReasonStage>(stage: Stage, about: ReasonAbout, words: string): Data<Stage> {
  return { stage, about, retryable: true, words };
}

/** Every reason that a verdict can give. The codes are stable: programs and queries rely on them. */
export const emailReasons = {
  missing_at: reason('syntax', 'recipient', 'There is no @ in it.'),
  local_part_empty: reason('syntax', 'recipient', 'There is nothing before the @.'),
  local_part_invalid: reason('syntax', 'recipient', 'What stands before the @ is not allowed there.'),
  local_part_too_long: reason('syntax', 'recipient', 'What stands before the @ is longer than 64 bytes.'),
  domain_invalid: reason('syntax', 'domain', 'What stands after the @ is no domain name.'),
  domain_label_too_long: reason('syntax', 'domain', 'A part of the domain is longer than 63 characters.'),
  address_too_long: reason('syntax', 'recipient', 'The address is longer than 254 bytes.'),
  unsafe_characters: reason(
    'syntax',
    'recipient',
    'It has control characters, blanks or invisible characters in it.',
  ),
  idna_invalid: reason('syntax', 'domain', 'The domain is no valid internationalised domain name.'),
  quoted_local_not_allowed: reason(
    'syntax',
    'recipient',
    'A quoted local part is legal, but no provider gives one out.',
  ),
  domain_literal_not_allowed: reason('syntax', 'domain', 'An IP address stands in place of a domain.'),
  special_use_domain: reason('syntax', 'domain', 'The domain is reserved for tests or private networks.'),
  dotless_domain: reason('syntax', 'domain', 'The domain has no dot.'),

  domain_not_found: reason('domain', 'domain', 'The domain does not exist.'),
  null_mx: reason('domain', 'domain', 'The domain says that it takes no mail (null MX).'),
  no_mail_host: reason('domain', 'domain', 'The domain has no mail server, nor an address of its own.'),
  mail_host_unroutable: reason('domain', 'domain', 'The mail servers of the domain have no public address.'),
  implicit_mx: reason('domain', 'domain', 'The domain has no MX record; its own address takes the mail.'),
  spf_reject_all_without_mx: reason(
    'domain',
    'domain',
    'The domain has no MX record and says that it sends no mail.',
  ),
  dns_timeout: passing('domain', 'network', 'The name servers of the domain did not answer in time.'),
  dns_server_failure: passing('domain', 'network', 'The name servers of the domain answered with a failure.'),
  dns_untrusted: passing(
    'domain',
    'network',
    'The domain could not be checked: the name servers of this machine deny domains that exist, or make them up.',
  ),

  mailbox_accepts: reason('smtp', 'recipient', 'The mail server accepts mail for the address.'),
  mailbox_not_found: reason('smtp', 'recipient', 'The mail server says that there is no such mailbox.'),
  mailbox_disabled: reason('smtp', 'recipient', 'The mail server says that the mailbox is disabled.'),
  mailbox_full: passing('smtp', 'recipient', 'The mailbox exists and is full.'),
  mailbox_rate_limited: passing(
    'smtp',
    'recipient',
    'The mailbox exists and gets mail too fast at the moment.',
  ),
  greylisted: passing('smtp', 'recipient', 'The mail server asked us to try later.'),
  server_temporary_error: passing('smtp', 'network', 'The mail server could not answer at the moment.'),
  sender_blocked: passing(
    'smtp',
    'sender',
    'The mail server refuses us: that says nothing about the mailbox.',
  ),
  sender_rate_limited: passing('smtp', 'sender', 'The mail server says that we ask too often.'),
  relay_denied: reason('smtp', 'policy', 'The mail server says that the domain is not its own.'),
  recipient_policy: reason(
    'smtp',
    'policy',
    'The mail server takes mail for the address from some senders only.',
  ),
  connection_refused: passing('smtp', 'network', 'The mail server refused the connection.'),
  connection_timeout: passing('smtp', 'network', 'The mail server did not answer in time.'),
  tls_failure: passing('smtp', 'network', 'The mail server offers encryption that does not work.'),
  protocol_error: passing('smtp', 'network', 'The mail server does not speak SMTP as it should.'),
  unrecognised_reply: reason(
    'smtp',
    'policy',
    'The mail server refused the address without saying whether there is such a mailbox.',
  ),
  smtputf8_unsupported: reason('smtp', 'domain', 'The mail server takes no addresses beyond ASCII.'),
  catch_all_domain: reason('smtp', 'domain', 'The mail server accepts any address of the domain.'),
  catch_all_inconclusive: passing(
    'smtp',
    'domain',
    'Whether the mail server accepts any address could not be told.',
  ),

  mailbox_not_probed: reason(
    'policy',
    'policy',
    'The mail server was not asked: probing is off, or not ready.',
  ),
  provider_not_probed: reason(
    'policy',
    'policy',
    'The mail server was not asked: this provider does not tell.',
  ),
  domain_paused: passing(
    'policy',
    'policy',
    'The mail server was not asked: by a rule of the domain it refused us a short while ago.',
  ),
  provider_paused: passing(
    'policy',
    'policy',
    'The mail server was not asked: the provider refused us a short while ago.',
  ),
  probe_budget_exhausted: passing(
    'policy',
    'policy',
    'The mail server was not asked: the budget for it is used up.',
  ),
  outbound_port_25_blocked: passing(
    'policy',
    'network',
    'The mail server was not asked: port 25 is closed from here.',
  ),
  opted_out: reason('policy', 'policy', 'Nobody was asked: the domain or the person wants to be left alone.'),

  disposable_domain: reason('quality', 'domain', 'The domain gives out throw-away addresses.'),
  privacy_relay: reason('quality', 'domain', 'The domain forwards to an address that it keeps private.'),
  role_account: reason('quality', 'recipient', 'The address is that of a function, not of a person.'),
  free_provider: reason('quality', 'domain', 'The domain gives out addresses to everybody, free of charge.'),
  possible_typo: reason('quality', 'domain', 'The domain looks like a misspelt one.'),
  subaddress: reason('quality', 'recipient', 'The address has a tag that its owner added.'),
} as const satisfies Readonly<Record<string, ReasonInfo>>;

export type EmailReason = keyof typeof emailReasons;

type AtStage<Stage extends ReasonStage> = {
  [Code in EmailReason]: (typeof emailReasons)[Code]['stage'] extends Stage ? Code : never;
}[EmailReason];

/** Why a text is no address that mail could be sent to. */
export type SyntaxReason = AtStage<'syntax'>;

/** Reasons of the DNS stage. */
export type DomainReason = AtStage<'domain'>;

/** Reasons of the SMTP stage. */
export type SmtpReason = AtStage<'smtp'>;

/** Why a mail server was not asked. */
export type PolicyReason = AtStage<'policy'>;

/** Reasons from lists and from the address itself. */
export type QualityReason = AtStage<'quality'>;
