import type { ColumnSample } from '../../../src/producer/columns/recognise-columns.ts';

/** A header with the kind of values in each column, and the columns that hold our fields. A field that is missing is in none. */
export interface LabelledList {
  /** `Firma:company; Ort:city`. A kind is a key of `values`. */
  readonly columns: string;
  readonly domain?: string;
  readonly name?: string;
  readonly email?: string;
  /** The names alone would lead elsewhere. */
  readonly valuesDecide?: boolean;
}

/** Values of each kind, used in turn. */
const values: Readonly<Record<string, readonly string[]>> = {
  web: ['www.mueller.de', 'https://www.beta.fr/', 'gamma.co.uk', 'delta-group.com', 'epsilon.es'],
  deep: [
    'https://x.org/a/1',
    'https://x.org/a/2',
    'https://x.org/b/3',
    'https://x.org/b/4',
    'https://x.org/5',
  ],
  page: [
    'https://www.linkedin.com/company/a',
    'linkedin.com/company/b',
    'facebook.com/c',
    'x.com/d',
    'xing.com/e',
  ],
  image: [
    'https://cdn.a.com/l/1.png',
    'https://cdn.a.com/l/2.jpg',
    'https://b.com/x.svg',
    'c.de/a.png',
    'd.de/b.gif',
  ],
  company: ['Müller GmbH', 'Beta SARL', 'Gamma Ltd', 'Delta Group', 'Épsilon S.A.'],
  plain: ['Müller', 'Beta', 'Gamma', 'Delta', 'Epsilon'],
  person: ['Anna Schmidt', 'Peter Novák', 'Maria Rossi', 'John Smith', 'Zoé Blanc'],
  mail: ['info@mueller.de', 'jo@beta.fr', 'x@gamma.co.uk', 'a.b@delta-group.com', 'y@epsilon.es'],
  own: ['sam@crm.io', 'kim@crm.io', 'sam@crm.io', 'kim@crm.io', 'sam@crm.io'],
  freemail: ['anna1@gmail.com', 'p.n@web.de', 'mr@libero.it', 'js@gmail.com', 'zb@free.fr'],
  city: ['Berlin', 'Köln', 'Lyon', 'Praha', 'Roma'],
  country: ['Germany', 'France', 'Germany', 'Czechia', 'Italy'],
  phone: ['+49 30 1234567', '030/7654321', '+33 1 23 45 67 89', '(089) 998877', '+39 06 1234567'],
  number: ['12', '3400', '7', '1.250', '88'],
  date: ['2024-01-31', '2023-11-05', '01.02.2024', '2022-12-24', '2024/03/01'],
  yes: ['yes', 'no', 'yes', 'yes', 'no'],
  id: ['0011x00001', '0011x00002', '0011x00003', '0011x00004', '0011x00005'],
  empty: [''],
};

/** Headers as exports, associations and people write them, and the columns that hold our fields. Our own labels. */
export const labelledLists: readonly LabelledList[] = [
  // Headers that were missed in real lists
  { columns: 'id:number; kun_firmename:company; Ort:city', name: 'kun_firmename' },
  {
    columns: 'company_name_en:company; company_url:web; Industry:plain',
    name: 'company_name_en',
    domain: 'company_url',
  },
  {
    columns: 'School Name:plain; Website / URL:web; email2:mail',
    name: 'School Name',
    domain: 'Website / URL',
    email: 'email2',
  },
  {
    columns: 'Zugehöriges Unternehmen:company; Domain:web',
    name: 'Zugehöriges Unternehmen',
    domain: 'Domain',
  },
  {
    columns: '会社名:plain; 住所:city; ホームページURL:web; 代表メール:mail',
    name: '会社名',
    domain: 'ホームページURL',
    email: '代表メール',
  },
  {
    columns: '单位名称:plain; 官方网站:web; 邮箱地址:mail',
    name: '单位名称',
    domain: '官方网站',
    email: '邮箱地址',
  },
  { columns: '商号:plain; 電話:phone; 公式サイト:web', name: '商号', domain: '公式サイト' },
  // Languages of Europe
  {
    columns: 'Firma:company; Webseite:web; Ort:city; E-Mail:mail',
    domain: 'Webseite',
    name: 'Firma',
    email: 'E-Mail',
  },
  {
    columns: 'Kundennr:number; Firmenname:company; PLZ:number; Email:mail',
    name: 'Firmenname',
    email: 'Email',
  },
  {
    columns: 'Unternehmen:plain; Internetseite:web; Ansprechpartner:person',
    domain: 'Internetseite',
    name: 'Unternehmen',
  },
  {
    columns: 'Name des Unternehmens:company; Homepage:web; E-Mail-Adresse:mail',
    domain: 'Homepage',
    name: 'Name des Unternehmens',
    email: 'E-Mail-Adresse',
  },
  {
    columns: 'Raison sociale:company; Site web:web; Courriel:mail; Ville:city',
    domain: 'Site web',
    name: 'Raison sociale',
    email: 'Courriel',
  },
  {
    columns: 'Entreprise:plain; SIRET:number; Adresse e-mail:mail',
    name: 'Entreprise',
    email: 'Adresse e-mail',
  },
  {
    columns: "Nom de l'entreprise:company; Adresse du site:web",
    domain: 'Adresse du site',
    name: "Nom de l'entreprise",
  },
  {
    columns: 'Razón social:company; Página web:web; Correo electrónico:mail; Teléfono:phone',
    domain: 'Página web',
    name: 'Razón social',
    email: 'Correo electrónico',
  },
  {
    columns: 'nombre:company; sitio_web:web; email:mail',
    domain: 'sitio_web',
    name: 'nombre',
    email: 'email',
  },
  { columns: 'EMPRESA:plain; CIUDAD:city; CORREO:mail', name: 'EMPRESA', email: 'CORREO' },
  {
    columns: 'Ragione sociale:company; Sito web:web; Indirizzo e-mail:mail; Città:city',
    domain: 'Sito web',
    name: 'Ragione sociale',
    email: 'Indirizzo e-mail',
  },
  { columns: 'Azienda:plain; Sito:web; Referente:person', domain: 'Sito', name: 'Azienda' },
  {
    columns: 'Nome da empresa:company; Endereço do site:web; E-mail de contato:mail',
    domain: 'Endereço do site',
    name: 'Nome da empresa',
    email: 'E-mail de contato',
  },
  { columns: 'razao_social:company; cidade:city; nome_fantasia:plain', name: 'razao_social' },
  {
    columns: 'Bedrijfsnaam:company; Webadres:web; E-mailadres:mail; Plaats:city',
    domain: 'Webadres',
    name: 'Bedrijfsnaam',
    email: 'E-mailadres',
  },
  {
    columns: 'Nazwa firmy:company; Strona internetowa:web; Adres e-mail:mail; Miasto:city',
    domain: 'Strona internetowa',
    name: 'Nazwa firmy',
    email: 'Adres e-mail',
  },
  { columns: 'Kontrahent:company; NIP:number; Strona www:web', domain: 'Strona www', name: 'Kontrahent' },
  {
    columns: 'Název společnosti:company; Webové stránky:web; E-mailová adresa:mail',
    domain: 'Webové stránky',
    name: 'Název společnosti',
    email: 'E-mailová adresa',
  },
  {
    columns: 'Obchodné meno:company; Webová stránka:web; E-mail:mail',
    domain: 'Webová stránka',
    name: 'Obchodné meno',
    email: 'E-mail',
  },
  {
    columns: 'Cégnév:company; Honlap:web; E-mail cím:mail; Város:city',
    domain: 'Honlap',
    name: 'Cégnév',
    email: 'E-mail cím',
  },
  {
    columns: 'Denumire firmă:company; Pagină web:web; Adresă de e-mail:mail; Oraș:city',
    domain: 'Pagină web',
    name: 'Denumire firmă',
    email: 'Adresă de e-mail',
  },
  {
    columns: 'Фирма:plain; Уебсайт:web; Имейл:mail; Град:city',
    domain: 'Уебсайт',
    name: 'Фирма',
    email: 'Имейл',
  },
  {
    columns: 'Επωνυμία:company; Ιστοσελίδα:web; Διεύθυνση email:mail; Πόλη:city',
    domain: 'Ιστοσελίδα',
    name: 'Επωνυμία',
    email: 'Διεύθυνση email',
  },
  {
    columns: 'Naziv tvrtke:company; Web stranica:web; E-pošta:mail; Grad:city',
    domain: 'Web stranica',
    name: 'Naziv tvrtke',
    email: 'E-pošta',
  },
  {
    columns: 'Назив предузећа:company; Веб-сајт:web; Имејл:mail',
    domain: 'Веб-сајт',
    name: 'Назив предузећа',
    email: 'Имејл',
  },
  {
    columns: 'Ime podjetja:company; Spletna stran:web; E-naslov:mail',
    domain: 'Spletna stran',
    name: 'Ime podjetja',
    email: 'E-naslov',
  },
  {
    columns: 'Företagsnamn:company; Webbplats:web; E-postadress:mail; Ort:city',
    domain: 'Webbplats',
    name: 'Företagsnamn',
    email: 'E-postadress',
  },
  {
    columns: 'Virksomhedsnavn:company; Hjemmeside:web; E-mailadresse:mail',
    domain: 'Hjemmeside',
    name: 'Virksomhedsnavn',
    email: 'E-mailadresse',
  },
  {
    columns: 'Bedriftsnavn:company; Nettside:web; E-postadresse:mail; Poststed:city',
    domain: 'Nettside',
    name: 'Bedriftsnavn',
    email: 'E-postadresse',
  },
  {
    columns: 'Yrityksen nimi:company; Verkkosivusto:web; Sähköposti:mail',
    domain: 'Verkkosivusto',
    name: 'Yrityksen nimi',
    email: 'Sähköposti',
  },
  {
    columns: 'Ettevõtte nimi:company; Koduleht:web; E-posti aadress:mail',
    domain: 'Koduleht',
    name: 'Ettevõtte nimi',
    email: 'E-posti aadress',
  },
  {
    columns: 'Uzņēmuma nosaukums:company; Mājaslapa:web; E-pasts:mail',
    domain: 'Mājaslapa',
    name: 'Uzņēmuma nosaukums',
    email: 'E-pasts',
  },
  {
    columns: 'Įmonės pavadinimas:company; Interneto svetainė:web; El. paštas:mail',
    domain: 'Interneto svetainė',
    name: 'Įmonės pavadinimas',
    email: 'El. paštas',
  },
  {
    columns: 'Название компании:company; Сайт:web; Электронная почта:mail; Город:city',
    domain: 'Сайт',
    name: 'Название компании',
    email: 'Электронная почта',
  },
  {
    columns: 'Назва підприємства:company; Вебсайт:web; Електронна пошта:mail',
    domain: 'Вебсайт',
    name: 'Назва підприємства',
    email: 'Електронна пошта',
  },
  {
    columns: 'ŞİRKET ADI:company; Web Sitesi:web; E-Posta:mail; Şehir:city',
    domain: 'Web Sitesi',
    name: 'ŞİRKET ADI',
    email: 'E-Posta',
  },
  {
    columns: '会社名:plain; ウェブサイト:web; メールアドレス:mail',
    domain: 'ウェブサイト',
    name: '会社名',
    email: 'メールアドレス',
  },
  // Exports of tools
  {
    columns:
      'Record ID:number; Company name:company; Company Domain Name:web; Website URL:web; Company owner:person; City:city',
    domain: 'Company Domain Name',
    name: 'Company name',
  },
  {
    columns:
      'First Name:plain; Last Name:plain; Email:mail; Associated Company:company; Associated Company IDs:number',
    name: 'Associated Company',
    email: 'Email',
  },
  {
    columns: 'Account ID:id; Account Name:company; Website:web; Account Owner:person; Billing City:city',
    domain: 'Website',
    name: 'Account Name',
  },
  {
    columns:
      'First Name:plain; Last Name:plain; Title:plain; Company / Account:company; Email:mail; Lead Owner:person',
    name: 'Company / Account',
    email: 'Email',
  },
  {
    columns:
      'Organization - Name:company; Organization - Website:web; Person - Name:person; Person - Email - Work:mail',
    domain: 'Organization - Website',
    name: 'Organization - Name',
    email: 'Person - Email - Work',
  },
  {
    columns:
      'First Name:plain; Last Name:plain; Title:plain; Company:company; Company Name for Emails:plain; Email:mail; Email Status:yes; # Employees:number; Person Linkedin Url:page; Website:web; Company Linkedin Url:page; Company City:city',
    domain: 'Website',
    name: 'Company',
    email: 'Email',
  },
  {
    columns:
      'companyName:company; companyUrl:page; companyWebsite:web; linkedInProfileUrl:page; industry:plain',
    domain: 'companyWebsite',
    name: 'companyName',
  },
  {
    columns:
      'First Name:plain; Last Name:plain; URL:page; Email Address:freemail; Company:company; Position:plain; Connected On:date',
    name: 'Company',
    email: 'Email Address',
    valuesDecide: true,
  },
  {
    columns:
      'Organization Name:company; Organization Name URL:deep; Industries:plain; Headquarters Location:city; Organization Website:web',
    domain: 'Organization Website',
    name: 'Organization Name',
  },
  {
    columns: 'Organization Name:company; LinkedIn:page; Website:web; Contact Email:mail; Phone Number:phone',
    domain: 'Website',
    name: 'Organization Name',
    email: 'Contact Email',
  },
  {
    columns: 'Name:person; Organization 1 - Name:company; E-mail 1 - Value:mail; Website 1 - Value:web',
    domain: 'Website 1 - Value',
    name: 'Organization 1 - Name',
    email: 'E-mail 1 - Value',
  },
  {
    columns:
      'First Name:plain; Last Name:plain; Company:company; Web Page:web; E-mail Address:mail; E-mail 2 Address:empty',
    domain: 'Web Page',
    name: 'Company',
    email: 'E-mail Address',
  },
  {
    columns:
      'First Name:plain; Email:mail; Accepts Email Marketing:yes; Default Address Company:company; Default Address City:city',
    name: 'Default Address Company',
    email: 'Email',
  },
  { columns: 'title:plain; website:web; phone:phone; totalScore:number; url:deep', domain: 'website' },
  {
    columns: 'rank:number; Company:plain; Website / URL:web; HQ (City):city',
    domain: 'Website / URL',
    name: 'Company',
  },
  {
    columns: 'Email 1:mail; Email 2:empty; Actual Website:web; Vendor:company',
    domain: 'Actual Website',
    name: 'Vendor',
    email: 'Email 1',
  },
  {
    columns: 'Firma (Company):company; Website (URL):web; Email*:mail',
    domain: 'Website (URL)',
    name: 'Firma (Company)',
    email: 'Email*',
  },
  // Names that say nothing, or something else: the values decide
  {
    columns: 'Firma:company; Auftritt im Netz:web; Ort:city',
    domain: 'doubt',
    name: 'Firma',
    valuesDecide: true,
  },
  { columns: 'Kontakt:mail; Stadt:city', email: 'doubt', valuesDecide: true },
  {
    columns: 'column_1:plain; column_2:web; column_3:mail',
    domain: 'column_2',
    email: 'column_3',
    valuesDecide: true,
  },
  { columns: 'Company:web; Country:country', domain: 'Company', valuesDecide: true },
  { columns: 'Company:company; Website:phone; City:city', name: 'Company', valuesDecide: true },
  {
    columns: 'Company:company; Website:yes; Portal:web',
    domain: 'doubt',
    name: 'Company',
    valuesDecide: true,
  },
  {
    columns: 'Company:number; Account:company; Domain:web',
    domain: 'Domain',
    name: 'Account',
    valuesDecide: true,
  },
  { columns: 'Firma:company; Domaine:plain', name: 'Firma', valuesDecide: true },
  { columns: 'URL:page; Firma:company', name: 'Firma', valuesDecide: true },
  {
    columns: 'Company:company; Company Owner:own; Logo:image; LinkedIn:page; Founded:number',
    name: 'Company',
  },
  {
    columns: 'Company:company; Competitor website:web',

    name: 'Company',
    valuesDecide: true,
  },
  {
    columns: 'Company:company; Link A:web; Link B:web',
    domain: 'doubt',
    name: 'Company',
    valuesDecide: true,
  },
  { columns: 'Company:company; Careers page:web; Referrer:web', name: 'Company' },
  // Persons are no companies
  { columns: 'Name:person; E-Mail:freemail; City:city', email: 'E-Mail', valuesDecide: true },
  { columns: 'Vorname:plain; Name:plain; E-Mail:freemail', email: 'E-Mail', valuesDecide: true },
  { columns: 'Prénom:plain; Nom:plain; Société:company; Courriel:mail', name: 'Société', email: 'Courriel' },
  { columns: 'nombre:person; apellidos:plain; correo:freemail', email: 'correo', valuesDecide: true },
  { columns: 'Nom:plain; Adresse mail:freemail', name: 'doubt', email: 'Adresse mail', valuesDecide: true },
  { columns: 'Klient:plain; E-mail:freemail', name: 'doubt', email: 'E-mail', valuesDecide: true },
  { columns: 'Name:plain; E-Mail:mail', name: 'Name', email: 'E-Mail', valuesDecide: true },
  { columns: 'Name:plain; City:city; Phone:phone', name: 'doubt', valuesDecide: true },
  { columns: 'Name:company; City:city; Phone:phone', name: 'Name' },
  { columns: 'Name:plain; City:city', name: 'Name' },
  { columns: 'Navn:plain; Adresse:plain; Telefon:phone', name: 'doubt', valuesDecide: true },
  {
    columns: "nom:company; effectif:number; site_web:number; Site internet de l'entreprise:web",
    domain: "Site internet de l'entreprise",
    name: 'nom',
    valuesDecide: true,
  },
  { columns: 'org_name:plain; website:web; email:mail', domain: 'website', name: 'org_name', email: 'email' },
  { columns: 'First Name:plain; Last Name:plain; Job Title:plain; Country:country' },
];

const rowsMade = 20;

/** The header and twenty rows of a labelled list. */
export function sampleOf(columns: string): ColumnSample {
  const parts = columns.split('; ').map((part) => {
    const at = part.lastIndexOf(':');
    return { name: part.slice(0, at), kind: part.slice(at + 1) };
  });
  const rows = Array.from({ length: rowsMade }, (_, row) =>
    parts.map(({ kind }) => {
      const cells = values[kind];
      if (cells === undefined) throw new Error(`There are no values of the kind ${kind}.`);
      return numbered(cells[row % cells.length] ?? '', kind, Math.floor(row / cells.length));
    }),
  );
  return { header: parts.map(({ name }) => name), rows };
}

/** Distinct companies and addresses, as lists have them. */
function numbered(cell: string, kind: string, round: number): string {
  if (round === 0 || !['web', 'mail'].includes(kind)) return cell;
  return cell.replace(/\.(\w+\/?)$/, `${round}.$1`).replace(/\.co(\d+)\.uk/, '$1.co.uk');
}
