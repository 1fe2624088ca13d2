/** Headers that stand in lists of persons: beside them `Name` is the name of a person. Separated by `|`. */
export const personHeaders = `first name|firstname|last name|lastname|surname|given name|family name|middle name|full name|person name|contact name|contact|contact person
  |job title|salutation|gender|birthday|date of birth|age|linkedin profile|person linkedin url
  |Vorname|Nachname|Familienname|Ansprechpartner|Anrede|Kontaktperson|Geschlecht|Geburtsdatum|Alter
  |Prénom|Nom de famille|Civilité|Nom complet|Contact|Fonction|Date de naissance
  |Apellido|Apellidos|Primer apellido|Nombre completo|Nombre de pila|Persona de contacto|Fecha de nacimiento
  |Cognome|Nome e cognome|Nominativo|Data di nascita|Sobrenome|Apelido|Primeiro nome|Nome completo|Data de nascimento|Nom i cognoms|Cognoms
  |Voornaam|Achternaam|Tussenvoegsel|Contactpersoon|Geboortedatum|Imię|Nazwisko|Imię i nazwisko|Osoba kontaktowa
  |Jméno|Příjmení|Jméno a příjmení|Meno|Priezvisko|Meno a priezvisko|Vezetéknév|Keresztnév|Utónév|Kapcsolattartó
  |Prenume|Nume|Nume de familie|Nume și prenume|Persoană de contact|Име|Фамилия|Име и фамилия|Лице за контакт
  |Επώνυμο|Ονοματεπώνυμο|Υπεύθυνος|Ime|Prezime|Ime i prezime|Priimek|Ime in priimek|Име и презиме|Презиме|Osoba za kontakt
  |Förnamn|Efternamn|Kontaktperson|Fornavn|Etternavn|Efternavn|Etunimi|Sukunimi|Yhteyshenkilö|Eesnimi|Perekonnanimi
  |Vārds|Uzvārds|Vardas|Pavardė|Имя|Фамилия|Отчество|ФИО|Контактное лицо|Ім'я|Прізвище|ПІБ|Контактна особа
  |Ad|Adı|Soyad|Soyadı|Ad Soyad|Adı Soyadı|İsim|Yetkili kişi`;

/**
 * Words in headers of columns whose addresses are not those of the company itself, in lower case without accents: pages elsewhere, pictures,
 * documents, other companies, members of the own team.
 */
export const otherWords = `linkedin facebook twitter instagram xing youtube tiktok pinterest crunchbase github gitlab wikipedia wikidata angellist glassdoor
  trustpilot kununu yelp social profile profiles profil profilo perfil logo logos image images img photo picture bild icon favicon avatar thumbnail
  screenshot video api json xml rss feed endpoint webhook source sources quelle fuente fonte zrodlo note notes notiz notizen comment comments
  kommentar bemerkung description beschreibung blog career careers jobs job karriere privacy terms datenschutz imprint impressum pricing login
  signup news press article artikel referrer referer utm landing destination target campaign owner besitzer assigned assignee zustandig betreuer
  bearbeiter verantwortlich responsable manager rep sdr ae salesperson created modified updated erstellt geandert by user users username benutzer
  sender from author parent mutter muttergesellschaft mere matriz competitor competitors konkurrent wettbewerber investor investors partner provider hosting hoster
  host server tech technology previous former old alt alternative redirect redirects cdn map maps google media pdf file datei document download
  evidence proof reference subsidiary tracking pixel mx dns nameserver ip registrar agency agentur verified status type typ domaintype ad ads
  id ids uuid key token hash cc bcc reply unsubscribe bounce linktree menu booking instance`;

/** Words for properties of a company: `Company City` is not its name. In lower case without accents. */
export const propertyLabels = `city town ort stadt ville ciudad localidad citta comune cidade plaats stad miasto miejscowosc mesto obec varos telepules oras град πολη kommun
  kaupunki linn pilseta miestas город місто sehir country land pays pais paese kraj zeme stat orszag tara държава χωρα drzava maa riik valsts salis страна країна
  ulke state region province address adresse strasse street rue calle via ulica utca str zip plz postal postcode cp phone phones telefon telephone tel telefono fax mobile
  mobil handy size grosse taille industry branche branch sector sektor revenue umsatz turnover employees mitarbeiter employee headcount founded year jahr date datum
  number nummer numero nr no count stage score rating tag tags list segment category kategorie code vat siret siren nip ico ust currency language sprache
  time timezone keywords technologies headquarters location`;
