import { publicUrl } from '@/server/platform/env';
import type { Language } from '@/server/platform/languages.schema';
import { type Copy, type Notice, plainNotice } from '../outbox/account-copy.service';

interface AddressCode {
  /** Only the handle: free text must not appear in a mail to a possible stranger. */
  handle: string;
  address: string;
  code: string;
  minutes: number;
  attempts: number;
}

const copies: Record<Language, (about: AddressCode & { site: string }) => Copy> = {
  en: ({ handle, address, code, minutes, attempts, site }) => [
    'Verify your email address',
    `The business "${handle}" at ${site} wants to receive email sent to ${address} and to send email from it.`,
    `To allow this, enter this code on the "Business profile" page:`,
    code,
    `It works for ${minutes} minutes and ${attempts} attempts. If you didn’t ask for it, ignore this email: nothing happens without the code.`,
  ],
  de: ({ handle, address, code, minutes, attempts, site }) => [
    'Bestätigen Sie Ihre E-Mail-Adresse',
    `Das Unternehmen „${handle}“ auf ${site} möchte E-Mails an ${address} empfangen und E-Mails von dieser Adresse senden.`,
    'Um das zu erlauben, geben Sie diesen Code auf der Seite „Business profile“ ein:',
    code,
    `Er gilt ${minutes} Minuten und für ${attempts} Versuche. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ohne den Code geschieht nichts.`,
  ],
  fr: ({ handle, address, code, minutes, attempts, site }) => [
    'Confirmez votre adresse e-mail',
    `L’entreprise «\u202f${handle}\u202f» sur ${site} souhaite recevoir les e-mails envoyés à ${address} et envoyer des e-mails depuis cette adresse.`,
    'Pour l’autoriser, saisissez ce code sur la page «\u202fBusiness profile\u202f»\u00a0:',
    code,
    `Il est valable ${minutes} minutes et pour ${attempts} tentatives. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail\u00a0: rien ne se passe sans le code.`,
  ],
  es: ({ handle, address, code, minutes, attempts, site }) => [
    'Verifique su dirección de correo',
    `La empresa «${handle}» en ${site} quiere recibir los correos enviados a ${address} y enviar correos desde esa dirección.`,
    'Para permitirlo, introduzca este código en la página «Business profile»:',
    code,
    `Es válido durante ${minutes} minutos y para ${attempts} intentos. Si no lo ha pedido usted, ignore este mensaje: sin el código no ocurre nada.`,
  ],
};

/** The email with the code that proves an address. */
export function addressCodeMail(language: Language, about: AddressCode): Notice {
  return plainNotice({ kind: 'address_code', language }, copies[language]({ ...about, site: publicUrl() }));
}
