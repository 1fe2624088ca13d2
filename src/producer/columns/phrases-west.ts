import type { LanguagePhrases } from './language-phrases.ts';

/** Headers in the languages of western, southern and northern Europe. */
export const westernPhrases: readonly LanguagePhrases[] = [
  {
    language: 'de',
    name: `Firmenname|Firmennamen|Firmename|Name der Firma|Name des Unternehmens|Unternehmensname|Name Unternehmen|Name Firma|Firma Name
      |Unternehmen Name|Organisationsname|Name der Organisation|Firmierung|Firmenbezeichnung|Unternehmensbezeichnung|Zugehöriges Unternehmen|Firmenwortlaut|Geschäftsname
      |Handelsname`,
    company: `Firma|Firmen|Unternehmen|Betrieb|Gesellschaft|Marke|Markenname|Arbeitgeber|Hersteller|Lieferant|Aussteller|Institution`,
    bare: `Kunde|Kundenname|Mandant|Interessent|Debitor`,
    domain: `Firmendomain|Unternehmensdomain|Domäne|Domainname`,
    site: `Webseite|Webseiten|Webseiten-URL|Firmenwebseite|Firmenwebsite|Unternehmenswebseite|Unternehmenswebsite|Firmenhomepage|Webseite der Firma
      |Webseite des Unternehmens|Internetseite|Internetadresse|Internetauftritt|Internetpräsenz|Webauftritt|Webadresse|Webseitenadresse
      |Website-Adresse|Firmen-URL|Link zur Webseite`,
    email: `E-Mail-Adresse|E-Mail-Adressen|Mailadresse|E-Mail geschäftlich|geschäftliche E-Mail|geschäftliche E-Mail-Adresse|Firmen-E-Mail|Kontakt-E-Mail`,
  },
  {
    language: 'fr',
    name: `Nom de l'entreprise|Nom entreprise|Nom de la société|Nom société|Nom d'entreprise|Raison sociale|Dénomination sociale|Nom commercial
      |Nom de l'organisation|Nom de l'établissement|Nom de la compagnie|Nom du compte`,
    company: `Entreprise|Entreprises|Société|Sociétés|Compagnie|Dénomination|Enseigne|Organisme|Établissement|Marque|Employeur|Fournisseur|Exposant`,
    bare: `Nom|Nom du client`,
    domain: `Nom de domaine|Nom de domaine de l'entreprise|Domaine de l'entreprise|Domaine`,
    site: `Site web|Site internet|Site web de l'entreprise|Site internet de l'entreprise|Site internet de la société|Site de l'entreprise|Site web entreprise|Site de la société|Site web de la société
      |Adresse web|Adresse du site|Adresse du site web|Adresse internet|Page web|URL du site|URL du site web|URL site web|Lien du site`,
    email: `Courriel|Adresse e-mail|Adresse mail|Adresse électronique|Adresse courriel|Adresse de courriel|Courrier électronique|Mél|E-mail professionnel
      |Email pro|Mail pro|E-mail de l'entreprise|Adresse e-mail professionnelle`,
  },
  {
    language: 'es',
    name: `Nombre de la empresa|Empresa nombre|Nombre empresa|Nombre de empresa|Razón social|Nombre o razón social|Nombre comercial|Denominación social
      |Denominación|Nombre de la compañía|Nombre de la organización|Nombre del negocio|Nombre fiscal|Nombre de la cuenta`,
    company: `Empresa|Empresas|Compañía|Organización|Sociedad|Entidad|Marca|Negocio|Proveedor|Expositor|Empleador`,
    bare: `Nombre|Cliente|Nombre del cliente`,
    domain: `Nombre de dominio|Dominio de la empresa|Dominio`,
    site: `Sitio web|Página web|Sitio web de la empresa|Página web de la empresa|Web de la empresa|Web empresa|Sitio|Sitio de internet
      |Página de internet|Dirección web|Portal web|URL del sitio|URL del sitio web|URL sitio web`,
    email: `Correo electrónico|Correo|Correo-e|Dirección de correo|Dirección de correo electrónico|Dirección de e-mail|Correo electrónico de contacto
      |Correo de contacto|Correo corporativo|Correo electrónico corporativo|Correo de la empresa`,
  },
  {
    language: 'ca',
    name: `Nom de l'empresa|Nom empresa|Raó social|Denominació social`,
    company: `Organització|Entitat`,
    bare: ``,
    domain: `Domini|Nom de domini`,
    site: `Lloc web|Pàgina web|Web de l'empresa`,
    email: `Correu electrònic|Correu|Adreça electrònica`,
  },
  {
    language: 'it',
    name: `Nome azienda|Nome dell'azienda|Ragione sociale|Denominazione sociale|Denominazione azienda|Nome società|Nome della società|Nome impresa
      |Nome dell'impresa|Nome ditta|Nome della ditta|Nome organizzazione|Nome commerciale`,
    company: `Azienda|Aziende|Società|Impresa|Ditta|Denominazione|Organizzazione|Insegna|Marchio|Fornitore|Espositore|Datore di lavoro`,
    bare: `Nome|Nome cliente`,
    domain: `Dominio aziendale|Nome di dominio|Nome dominio`,
    site: `Sito web|Sito|Sito internet|Sito web aziendale|Sito aziendale|Sito web dell'azienda|Indirizzo web|Indirizzo sito web|Indirizzo internet
      |Pagina web|URL sito|URL sito web`,
    email: `Posta elettronica|Indirizzo e-mail|Indirizzo mail|Indirizzo di posta elettronica|E-mail aziendale|Indirizzo email aziendale|Mail aziendale`,
  },
  {
    language: 'pt',
    name: `Nome da empresa|Nome empresa|Razão social|Nome fantasia|Nome empresarial|Denominação social|Nome da organização|Nome comercial
      |Nome da companhia|Nome da conta`,
    company: `Companhia|Organização|Sociedade|Fornecedor|Empregador`,
    bare: `Nome do cliente`,
    domain: `Domínio|Domínio da empresa|Nome de domínio|Nome do domínio`,
    site: `Site da empresa|Sítio web|Sítio|Endereço web|Endereço do site|Página da internet|Página na internet|Sítio da internet|Web site
      |Site empresa|URL do site`,
    email: `Correio eletrónico|Correio eletrônico|Endereço de e-mail|Endereço eletrónico|Endereço eletrônico|E-mail corporativo|E-mail comercial
      |E-mail da empresa|E-mail de contato|E-mail de contacto`,
  },
  {
    language: 'nl',
    name: `Bedrijfsnaam|Naam bedrijf|Naam van het bedrijf|Naam van bedrijf|Ondernemingsnaam|Naam onderneming|Organisatienaam|Naam organisatie
      |Firmanaam|Handelsnaam|Statutaire naam|Accountnaam`,
    company: `Bedrijf|Bedrijven|Onderneming|Organisatie|Vennootschap|Maatschappij|Merk|Leverancier|Werkgever`,
    bare: `Naam|Klant|Klantnaam`,
    domain: `Domein|Domeinnaam|Bedrijfsdomein`,
    site: `Webadres|Webpagina|Internetadres|Internetsite|Bedrijfswebsite|Website bedrijf|Website van het bedrijf|Website-adres|Webstek`,
    email: `E-mailadres|Mailadres|Zakelijk e-mailadres|E-mail zakelijk|Zakelijke e-mail|E-mailadres bedrijf`,
  },
  {
    language: 'sv',
    name: `Företagsnamn|Företagets namn|Bolagsnamn|Bolagets namn|Firmanamn|Organisationsnamn|Organisationens namn|Kontonamn`,
    company: `Företag|Bolag|Varumärke|Arbetsgivare|Leverantör|Utställare`,
    bare: `Namn|Kund|Kundnamn`,
    domain: `Domän|Domännamn|Företagsdomän`,
    site: `Webbplats|Webbsida|Hemsida|Webbadress|Webb|Internetadress|Sajt|Företagets webbplats|Företagets hemsida|Webbplatsadress|Webbplats-URL`,
    email: `E-post|E-postadress|Mejl|Mejladress|Mailadress|E-post arbete`,
  },
  {
    language: 'da',
    name: `Virksomhedsnavn|Virksomhedens navn|Firmanavn|Firmaets navn|Selskabsnavn|Selskabets navn|Organisationsnavn|Organisationens navn|Kontonavn`,
    company: `Virksomhed|Selskab|Varemærke|Arbejdsgiver|Leverandør|Udstiller`,
    bare: `Navn|Kunde|Kundenavn`,
    domain: `Domæne|Domænenavn|Firmadomæne`,
    site: `Hjemmeside|Websted|Webside|Webadresse|Netsted|Hjemmesideadresse|Firmaets hjemmeside|Virksomhedens hjemmeside`,
    email: `E-mailadresse|Mailadresse|Arbejdsmail|E-postadresse`,
  },
  {
    language: 'nb',
    name: `Bedriftsnavn|Bedriftens navn|Selskapsnavn|Selskapets navn|Foretaksnavn|Navn på bedrift|Navn på foretak|Organisasjonsnavn|Virksomhetsnavn`,
    company: `Bedrift|Selskap|Foretak|Virksomhet|Organisasjon|Varemerke|Arbeidsgiver|Utstiller`,
    bare: ``,
    domain: `Domene|Domenenavn`,
    site: `Nettside|Nettsted|Nettadresse|Internettadresse|Internettside|Bedriftens nettside|Nettsideadresse|Nettstedsadresse`,
    email: `E-post jobb|Jobb e-post|E-postadresse jobb`,
  },
  {
    language: 'is',
    name: `Nafn fyrirtækis|Heiti fyrirtækis|Fyrirtækisnafn`,
    company: `Fyrirtæki|Félag|Vörumerki`,
    bare: ``,
    domain: `Lén|Lénsheiti`,
    site: `Vefsíða|Heimasíða|Vefur|Veffang|Vefsvæði`,
    email: `Netfang|Tölvupóstur|Tölvupóstfang`,
  },
  {
    language: 'fi',
    name: `Yrityksen nimi|Yritysnimi|Yhtiön nimi|Toiminimi|Organisaation nimi`,
    company: `Yritys|Yhtiö|Organisaatio|Tuotemerkki|Brändi|Työnantaja|Toimittaja|Näytteilleasettaja`,
    bare: `Nimi|Asiakas|Asiakkaan nimi`,
    domain: `Verkkotunnus`,
    site: `Verkkosivusto|Verkkosivu|Verkkosivut|Kotisivu|Kotisivut|Www-sivut|Www-osoite|Verkko-osoite|Nettisivu|Nettisivut|Internetsivu
      |Internet-osoite|Web-sivu|Web-sivusto|Yrityksen verkkosivusto|Yrityksen kotisivu`,
    email: `Sähköposti|Sähköpostiosoite|S-posti|Työsähköposti|Meili`,
  },
];
