/** A legal form of a company, as `normaliseName` removes it from a name. */
export interface LegalForm {
  /** As people write it. Compared after folding, so `GmbH` covers `gmbh` and `G.m.b.H.`, and `A/S` covers `AS`. */
  readonly spellings: readonly string[];
  /** Countries of the form, as ISO 3166-1 codes; `EU` for the Union's own forms, `*` for many countries. */
  readonly countries: readonly string[];
  /** Position of the form in a name. */
  readonly position: 'trailing' | 'leading' | 'both';
  /** Full name. */
  readonly name: string;
}

/** Spellings (divided by ` | `), countries (divided by a space) and full name. */
type Row = readonly [spellings: string, countries: string, name: string];

/**
 * Forms at the end of a name.
 *
 * Left out on purpose, because as a last word they mean something else more often: `CA` (Venezuela; Canada, California), `Ky`
 * (Finland; Kentucky), `e.U.` (Austria; the Union), `I/S` (Denmark; "is"), `DA` (Norway), `MB` (Lithuania), `SF` (Iceland),
 * `AE` in Latin letters (Greece), `PSA` (Poland), `SCI` (France), `s.p.` (Slovenia) and `ME` on its own (Brazil). `Group`,
 * `Holding`, `International`, `Trust` and the like are parts of a name, not legal forms.
 */
const trailing: readonly Row[] = [
  // English
  ['Inc. | Incorporated', 'US CA PH', 'Incorporated'],
  ['Corp. | Corporation', 'US CA', 'Corporation'],
  ['Co. | Company', '*', 'Company'],
  ['& Co. | & Company | and Company', '*', 'and Company'],
  ['Co., Ltd. | Company Limited | Company Ltd.', 'CN JP KR TW TH HK', 'Company Limited'],
  ['Co., Inc. | Company, Inc.', 'US', 'Company, Incorporated'],
  ['Corporation Limited | Corp. Ltd.', 'CA AU IN', 'Corporation Limited'],
  ['Ltd. | Limited', 'GB IE IN CA HK NG IL', 'Limited'],
  ['LLP | Limited Liability Partnership', 'US GB IN SG', 'Limited Liability Partnership'],
  ['LLLP', 'US', 'Limited Liability Limited Partnership'],
  ['LP | Limited Partnership', 'US GB CA', 'Limited Partnership'],
  ['LC | Limited Company', 'US', 'Limited Company'],
  ['PLC | Public Limited Company', 'GB IE NG', 'Public Limited Company'],
  ['PLLC', 'US', 'Professional Limited Liability Company'],
  ['PC | Professional Corporation', 'US CA', 'Professional Corporation'],
  ['PA | Professional Association', 'US', 'Professional Association'],
  ['PBC | Public Benefit Corporation', 'US', 'Public Benefit Corporation'],
  ['N.A. | National Association', 'US', 'National Association'],
  ['ULC | Unlimited Liability Company', 'CA US', 'Unlimited Liability Company'],
  ['Unlimited Company', 'IE GB', 'Unlimited Company'],
  ['DAC | Designated Activity Company', 'IE', 'Designated Activity Company'],
  ['CLG | Company Limited by Guarantee', 'IE GB', 'Company Limited by Guarantee'],
  ['CIC | Community Interest Company', 'GB', 'Community Interest Company'],
  ['CIO', 'GB', 'Charitable Incorporated Organisation'],
  ['Pty | Proprietary', 'AU ZA', 'Proprietary'],
  ['Pty Ltd | (Pty) Ltd | Proprietary Limited', 'AU ZA', 'Proprietary Limited'],
  ['CC', 'ZA', 'Close Corporation'],
  ['Pte', 'SG', 'Private'],
  ['Pte Ltd', 'SG', 'Private Limited'],
  ['Pvt', 'IN PK LK', 'Private'],
  ['Pvt. Ltd. | (Pvt.) Ltd. | Private Limited | (Private) Limited', 'IN PK LK', 'Private Limited'],
  ['OPC Pvt. Ltd. | (OPC) Private Limited', 'IN', 'One Person Company, Private Limited'],
  ['SMC-Pvt. Ltd. | (SMC-Private) Limited', 'PK', 'Single Member Company, Private Limited'],
  ['OPC', 'IN PH', 'One Person Company'],
  ['PCL | Public Company Limited', 'TH', 'Public Company Limited'],
  ['Sdn. Bhd. | Sendirian Berhad', 'MY BN', 'Sendirian Berhad'],
  ['Bhd. | Berhad', 'MY', 'Berhad'],
  // The Gulf, the Levant and North Africa
  ['W.L.L.', 'QA BH KW', 'With Limited Liability'],
  ['FZE | FZ-E', 'AE', 'Free Zone Establishment'],
  ['FZCO | FZ Co.', 'AE', 'Free Zone Company'],
  ['FZ-LLC | FZLLC', 'AE', 'Free Zone Limited Liability Company'],
  ['DMCC', 'AE', 'Dubai Multi Commodities Centre'],
  ['K.S.C. | K.S.C.P. | K.S.C.C.', 'KW', 'Kuwaiti Shareholding Company'],
  ['Q.S.C. | Q.P.S.C.', 'QA', 'Qatari Shareholding Company'],
  ['S.A.O.G. | S.A.O.C.', 'OM', 'Société Anonyme Omanaise'],
  ['S.A.E.', 'EG', 'Société Anonyme Égyptienne'],
  ['S.A.L.', 'LB', 'Société Anonyme Libanaise'],
  ['SARLAU | SARL AU', 'MA', 'Société à Responsabilité Limitée à Associé Unique'],
  ['SUARL', 'TN SN', 'Société Unipersonnelle à Responsabilité Limitée'],
  ['בע״מ | בע"מ', 'IL', 'בעירבון מוגבל'],
  ['ذ.م.م', 'AE EG SA', 'ذات مسؤولية محدودة'],
  ['ش.م.ع', 'AE', 'شركة مساهمة عامة'],
  // Germany, Austria, Switzerland
  [
    'GmbH | Gesellschaft mit beschränkter Haftung | Gesellschaft mit beschraenkter Haftung',
    'DE AT CH LI',
    'Gesellschaft mit beschränkter Haftung',
  ],
  ['gGmbH', 'DE', 'gemeinnützige Gesellschaft mit beschränkter Haftung'],
  ['GesmbH | Ges.m.b.H.', 'AT', 'Gesellschaft mit beschränkter Haftung'],
  ['mbH', 'DE AT', 'mit beschränkter Haftung'],
  ['AG | Aktiengesellschaft', 'DE AT CH LI', 'Aktiengesellschaft'],
  [
    'UG | UG (haftungsbeschränkt) | UG (haftungsbeschraenkt)',
    'DE',
    'Unternehmergesellschaft (haftungsbeschränkt)',
  ],
  ['KG | Kommanditgesellschaft', 'DE AT CH', 'Kommanditgesellschaft'],
  ['& Co. KG | und Co. KG', 'DE AT', 'und Compagnie Kommanditgesellschaft'],
  [
    'GmbH & Co. KG | GmbH & Co KG',
    'DE AT',
    'Gesellschaft mit beschränkter Haftung und Compagnie Kommanditgesellschaft',
  ],
  ['KGaA | Kommanditgesellschaft auf Aktien', 'DE', 'Kommanditgesellschaft auf Aktien'],
  ['& Co. KGaA', 'DE', 'und Compagnie Kommanditgesellschaft auf Aktien'],
  ['OHG | Offene Handelsgesellschaft', 'DE', 'Offene Handelsgesellschaft'],
  ['OG', 'AT', 'Offene Gesellschaft'],
  ['GbR', 'DE', 'Gesellschaft bürgerlichen Rechts'],
  ['PartG | PartG mbB | PartGmbB', 'DE', 'Partnerschaftsgesellschaft'],
  ['eG', 'DE', 'eingetragene Genossenschaft'],
  ['e.V. | eingetragener Verein', 'DE', 'eingetragener Verein'],
  ['e.K. | e.Kfm. | e.Kfr.', 'DE', 'eingetragener Kaufmann'],
  ['SE | Societas Europaea', 'EU', 'Societas Europaea'],
  ['SCE', 'EU', 'Societas Cooperativa Europaea'],
  // France, Belgium, Luxembourg, Romandy, Québec
  ['SA | Société Anonyme', 'FR BE LU CH ES PT PL RO', 'Société Anonyme'],
  ['SAS | Société par Actions Simplifiée', 'FR CO IT', 'Société par Actions Simplifiée'],
  ['SASU', 'FR', 'Société par Actions Simplifiée Unipersonnelle'],
  ['SARL | S.à r.l. | Société à Responsabilité Limitée', 'FR LU CH MA', 'Société à Responsabilité Limitée'],
  ['EURL', 'FR', 'Entreprise Unipersonnelle à Responsabilité Limitée'],
  ['SNC', 'FR IT', 'Société en Nom Collectif'],
  ['SCA', 'FR LU BE', 'Société en Commandite par Actions'],
  ['SCOP', 'FR', 'Société Coopérative de Production'],
  ['GIE', 'FR', "Groupement d'Intérêt Économique"],
  ['& Cie | et Cie | et Compagnie', 'FR BE CH', 'et Compagnie'],
  ['SPRL', 'BE', 'Société Privée à Responsabilité Limitée'],
  ['SCRL', 'BE', 'Société Coopérative à Responsabilité Limitée'],
  ['ASBL', 'BE LU', 'Association Sans But Lucratif'],
  ['Sagl', 'CH', 'Società a garanzia limitata'],
  ['Ltée | Limitée', 'CA', 'Limitée'],
  // The Netherlands and Flanders
  ['BV | Besloten Vennootschap', 'NL BE', 'Besloten Vennootschap met beperkte aansprakelijkheid'],
  ['NV | Naamloze Vennootschap', 'NL BE', 'Naamloze Vennootschap'],
  ['SA/NV | NV/SA', 'BE', 'Société Anonyme, Naamloze Vennootschap'],
  ['BVBA', 'BE', 'Besloten Vennootschap met Beperkte Aansprakelijkheid'],
  ['VOF', 'NL BE', 'Vennootschap onder firma'],
  ['CV', 'NL BE', 'Commanditaire Vennootschap'],
  ['VZW', 'BE', 'Vereniging zonder winstoogmerk'],
  // Italy
  ['S.p.A. | Società per Azioni', 'IT CL', 'Società per azioni'],
  ['S.r.l. | Società a Responsabilità Limitata', 'IT RO', 'Società a responsabilità limitata'],
  ['S.r.l.s.', 'IT', 'Società a responsabilità limitata semplificata'],
  ['S.r.l. unipersonale | S.r.l. a socio unico', 'IT', 'Società a responsabilità limitata unipersonale'],
  ['S.a.p.A.', 'IT', 'Società in accomandita per azioni'],
  ['S.c.a r.l. | S.c.a.r.l.', 'IT', 'Società consortile a responsabilità limitata'],
  ['Soc. Coop.', 'IT', 'Società cooperativa'],
  // Spain, Portugal, Latin America
  ['S.A.U.', 'ES', 'Sociedad Anónima Unipersonal'],
  ['S.L. | Sociedad Limitada', 'ES', 'Sociedad de Responsabilidad Limitada'],
  ['S.L.U.', 'ES', 'Sociedad Limitada Unipersonal'],
  ['S.L.P.', 'ES', 'Sociedad Limitada Profesional'],
  ['S. Coop.', 'ES', 'Sociedad Cooperativa'],
  ['Sociedad Anónima', 'ES MX AR', 'Sociedad Anónima'],
  ['S.A. de C.V.', 'MX SV HN', 'Sociedad Anónima de Capital Variable'],
  ['S.A.B. de C.V.', 'MX', 'Sociedad Anónima Bursátil de Capital Variable'],
  ['S.A.P.I. de C.V.', 'MX', 'Sociedad Anónima Promotora de Inversión de Capital Variable'],
  ['S. de R.L. de C.V. | S.R.L. de C.V.', 'MX', 'Sociedad de Responsabilidad Limitada de Capital Variable'],
  ['S. de R.L.', 'MX HN PA', 'Sociedad de Responsabilidad Limitada'],
  ['S.A.C.', 'PE', 'Sociedad Anónima Cerrada'],
  ['S.A.A.', 'PE', 'Sociedad Anónima Abierta'],
  ['E.I.R.L.', 'PE CL DO', 'Empresa Individual de Responsabilidad Limitada'],
  ['S.A.S. de C.V.', 'MX', 'Sociedad por Acciones Simplificada de Capital Variable'],
  ['S. en C.', 'MX CO', 'Sociedad en Comandita'],
  ['Lda. | Limitada', 'PT AO MZ CL', 'Sociedade por Quotas de Responsabilidade Limitada'],
  ['Unipessoal Lda.', 'PT', 'Sociedade Unipessoal por Quotas'],
  ['SGPS | SGPS, S.A.', 'PT', 'Sociedade Gestora de Participações Sociais'],
  ['Ltda. | Ltda. ME | Ltda. EPP', 'BR CO CL', 'Sociedade Limitada'],
  ['EIRELI | EIRELI ME | EIRELI EPP', 'BR', 'Empresa Individual de Responsabilidade Limitada'],
  ['S/A', 'BR', 'Sociedade Anônima'],
  // The Nordic countries
  ['AB | Aktiebolag', 'SE FI', 'Aktiebolag'],
  ['AB (publ) | (publ)', 'SE', 'Publikt aktiebolag'],
  ['HB', 'SE', 'Handelsbolag'],
  ['KB', 'SE', 'Kommanditbolag'],
  ['AS | Aksjeselskap', 'NO EE LV', 'Aksjeselskap'],
  ['ASA', 'NO', 'Allmennaksjeselskap'],
  ['ANS', 'NO', 'Ansvarlig selskap'],
  ['A/S | Aktieselskab', 'DK', 'Aktieselskab'],
  ['ApS | Anpartsselskab', 'DK', 'Anpartsselskab'],
  ['IVS', 'DK', 'Iværksætterselskab'],
  ['K/S', 'DK', 'Kommanditselskab'],
  ['P/S', 'DK', 'Partnerselskab'],
  ['AmbA | A.m.b.a.', 'DK', 'Andelsselskab med begrænset ansvar'],
  ['Oy | Osakeyhtiö', 'FI', 'Osakeyhtiö'],
  ['Oy Ab', 'FI', 'Osakeyhtiö, Aktiebolag'],
  ['Oyj | Oyj Abp', 'FI', 'Julkinen osakeyhtiö'],
  ['ehf.', 'IS', 'Einkahlutafélag'],
  ['hf.', 'IS', 'Hlutafélag'],
  // Central and Eastern Europe, Greece, Turkey
  ['Sp. z o.o. | Sp z o o | Sp. zoo | Spółka z o.o.', 'PL', 'Spółka z ograniczoną odpowiedzialnością'],
  ['Spółka z ograniczoną odpowiedzialnością', 'PL', 'Spółka z ograniczoną odpowiedzialnością'],
  ['Sp. k. | Spółka komandytowa', 'PL', 'Spółka komandytowa'],
  ['Sp. j. | Spółka jawna', 'PL', 'Spółka jawna'],
  ['S.K.A.', 'PL', 'Spółka komandytowo-akcyjna'],
  ['Spółka Akcyjna', 'PL', 'Spółka akcyjna'],
  ['s.r.o. | spol. s r.o.', 'CZ SK', 'společnost s ručením omezeným'],
  ['a.s. | akciová společnost', 'CZ SK', 'akciová společnost'],
  ['k.s.', 'CZ SK', 'komanditní společnost'],
  ['v.o.s.', 'CZ', 'veřejná obchodní společnost'],
  ['o.p.s.', 'CZ', 'obecně prospěšná společnost'],
  ['Kft.', 'HU', 'Korlátolt felelősségű társaság'],
  ['Zrt.', 'HU', 'Zártkörűen működő részvénytársaság'],
  ['Nyrt.', 'HU', 'Nyilvánosan működő részvénytársaság'],
  ['Bt.', 'HU', 'Betéti társaság'],
  ['d.o.o. | д.о.о.', 'HR SI RS BA ME MK', 'društvo s ograničenom odgovornošću'],
  ['j.d.o.o.', 'HR', 'jednostavno društvo s ograničenom odgovornošću'],
  ['d.d.', 'HR SI BA', 'dioničko društvo'],
  ['a.d. | а.д.', 'RS ME MK', 'akcionarsko društvo'],
  ['OOD | ООД', 'BG', 'Дружество с ограничена отговорност'],
  ['EOOD | ЕООД', 'BG', 'Еднолично дружество с ограничена отговорност'],
  ['AD | АД', 'BG', 'Акционерно дружество'],
  ['EAD | ЕАД', 'BG', 'Еднолично акционерно дружество'],
  ['SH.P.K.', 'AL XK', 'Shoqëri me përgjegjësi të kufizuar'],
  ['OÜ', 'EE', 'Osaühing'],
  ['Α.Ε.', 'GR', 'Ανώνυμη Εταιρεία'],
  ['Ε.Π.Ε. | E.P.E.', 'GR', 'Εταιρεία Περιορισμένης Ευθύνης'],
  ['Ι.Κ.Ε.', 'GR', 'Ιδιωτική Κεφαλαιουχική Εταιρεία'],
  ['Ο.Ε.', 'GR', 'Ομόρρυθμη Εταιρεία'],
  ['A.Ş. | Anonim Şirketi', 'TR', 'Anonim Şirketi'],
  ['Ltd. Şti. | Limited Şirketi', 'TR', 'Limited Şirketi'],
  // Japan in Latin letters, Indonesia
  ['K.K. | Kabushiki Kaisha', 'JP', '株式会社'],
  ['G.K. | Godo Kaisha', 'JP', '合同会社'],
  ['Y.K. | Yugen Kaisha', 'JP', '有限会社'],
  ['Tbk | (Persero) Tbk | Persero', 'ID', 'Terbuka'],
];

/**
 * Forms that stand only at the front of a name.
 *
 * Left out on purpose: `AB` (`AB Tasty`), `AS` (`AS Roma`), `AO` in Latin letters (`A. O. Smith`), `SC` (`SC Johnson`), `CV`
 * (`CV-Library`) and `TOV` in Latin letters (`TOV Furniture`): these letters belong to a name more often.
 */
const leading: readonly Row[] = [
  ['PT | PT. | Perseroan Terbatas', 'ID', 'Perseroan Terbatas'],
  ['ИП', 'RU', 'Индивидуальный предприниматель'],
  ['ФОП', 'UA', 'Фізична особа-підприємець'],
  ['Stichting', 'NL', 'Stichting'],
  ['Công ty TNHH | Công ty TNHH MTV', 'VN', 'Công ty trách nhiệm hữu hạn'],
  ['Công ty Cổ phần | Công ty CP', 'VN', 'Công ty cổ phần'],
  ['บริษัท', 'TH', 'บริษัท'],
];

/** Forms that stand at either end. */
const both: readonly Row[] = [
  ['LLC | Limited Liability Company', 'US AE RU UA', 'Limited Liability Company'],
  ['JSC | Joint Stock Company', 'RU KZ VN GE', 'Joint Stock Company'],
  ['PJSC | Public Joint Stock Company', 'RU AE UA', 'Public Joint Stock Company'],
  ['OJSC | Open Joint Stock Company', 'RU BY', 'Open Joint Stock Company'],
  ['CJSC | Closed Joint Stock Company', 'RU BY AM', 'Closed Joint Stock Company'],
  ['PrJSC', 'UA AE', 'Private Joint Stock Company'],
  [
    'ООО | OOO | Общество с ограниченной ответственностью',
    'RU BY',
    'Общество с ограниченной ответственностью',
  ],
  ['АО | Акционерное общество', 'RU KZ', 'Акционерное общество'],
  ['ПАО | PAO | Публичное акционерное общество', 'RU', 'Публичное акционерное общество'],
  ['ОАО | OAO', 'RU BY', 'Открытое акционерное общество'],
  ['ЗАО | ZAO', 'RU BY', 'Закрытое акционерное общество'],
  ['НАО', 'RU', 'Непубличное акционерное общество'],
  ['ТОО', 'KZ', 'Товарищество с ограниченной ответственностью'],
  ['ТОВ', 'UA', 'Товариство з обмеженою відповідальністю'],
  ['ПрАТ | ПАТ | АТ', 'UA', 'Акціонерне товариство'],
  ['UAB', 'LT', 'Uždaroji akcinė bendrovė'],
  ['SIA', 'LV', 'Sabiedrība ar ierobežotu atbildību'],
  ['Aktiebolaget', 'SE', 'Aktiebolaget'],
  ['CTCP', 'VN', 'Công ty cổ phần'],
  ['株式会社 | (株)', 'JP', '株式会社'],
  ['有限会社 | (有)', 'JP', '有限会社'],
  ['合同会社', 'JP', '合同会社'],
  ['合資会社', 'JP', '合資会社'],
  ['주식회사 | (주)', 'KR', '주식회사'],
  ['유한회사 | (유)', 'KR', '유한회사'],
];

/** Forms at the end of a name in scripts without spaces, where they touch the name. */
const trailingUnspaced: readonly Row[] = [
  ['有限公司', 'CN TW HK', '有限公司'],
  ['股份有限公司', 'CN TW', '股份有限公司'],
  ['有限责任公司 | 有限責任公司', 'CN TW', '有限责任公司'],
  ['จำกัด', 'TH', 'จำกัด'],
  ['จำกัด (มหาชน) | (มหาชน)', 'TH', 'จำกัด (มหาชน)'],
];

/**
 * The reviewed table of legal forms, based on the registers' own names and ISO 20275. A form that is also a word (`co`, `spa`,
 * `as`) is removed only at the end of a name, never inside.
 */
export const legalForms: readonly LegalForm[] = [
  ...trailing.map((row) => formOf(row, 'trailing')),
  ...trailingUnspaced.map((row) => formOf(row, 'trailing')),
  ...leading.map((row) => formOf(row, 'leading')),
  ...both.map((row) => formOf(row, 'both')),
];

function formOf([spellings, countries, name]: Row, position: LegalForm['position']): LegalForm {
  return { spellings: spellings.split(' | '), countries: countries.split(' '), position, name };
}
