import type { LanguagePhrases } from './language-phrases.ts';

/**
 * Headers in English, with those of the exports of HubSpot, Salesforce, Pipedrive, Apollo, LinkedIn, Crunchbase, Google, Outlook, Shopify
 * and others.
 */
export const englishPhrases: LanguagePhrases = {
  language: 'en',
  // In the order in which they are preferred, words for the company among them.
  name: `company name|company|account name|account|business name|organization name|organisation name|organization|organisation|brand name|brand
    |advertiser name|advertiser|legal name|business|employer|firm|name of company|name of the company|company legal name|legal entity name
    |entity name|firm name|employer name|merchant name|vendor name|supplier name|manufacturer name|exhibitor name|store name|startup name
    |school name|university name|hospital name|agency name|facility name|practice name|restaurant name|hotel name
    |trading name|trade name|org name|institution name|deal organization|person organization|lead organization|default address company|billing company`,
  company: `companies|organizations|organisations|enterprise|startup|legal entity|merchant|vendor|supplier|manufacturer|exhibitor|retailer`,
  bare: `name|client|client name|customer|customer name|investor|investor name|sponsor|partner|title of company`,
  domain: `company domain|domain|company domain name|domain name|root domain|primary domain|website domain|organization domain|account domain
    |business domain|associated company domain|domains`,
  site: `company website|website|company website url|website url|website address|web site url|company url|homepage|homepage url|company homepage
    |home page|url|web address|company web address|site url|web page|webpage|site|web|www|organization website|organisation website|organization url
    |organization homepage|account website|business website|business url|corporate website|website link|link to website|website urls|websites
    |business site|internet|internet address|company site|website value|organization web address|person website`,
  email: `email|email address|work email|work email address|business email|business email address|company email|contact email|primary email
    |mail address|mail|emails|email addresses|all emails|e mail id|email id|corporate email|professional email|associated contact email
    |person email|person email work|person email other|email work|work mail|customer email|lead email|email value|company email address
    |contact email address|primary email address`,
};
