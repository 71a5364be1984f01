import { publicUrl } from '@/server/platform/env';
import type { Language } from '@/server/platform/languages.schema';
import { type Notice, plainNotice } from '../outbox/account-copy.service';
import type { NotificationKind } from './notification.schema';
import { notificationPath } from './notification-path';

/**
 * What notifications say, in the language of the person they are for: what happened and where, and nothing of the messages. The
 * dashboard, which is in English, shows the English titles.
 */

/** What notifications about a conversation say: by their kind, and emails that were cancelled, which are of the kind `failed_email`. */
type ConversationNotice = Exclude<NotificationKind, 'mailbox' | 'storage'> | 'cancelled' | 'cancelled_by_reply';

interface NotificationCopy {
  /** By whom a notification is caused; null if that is not known. */
  titles: Record<ConversationNotice, (subject: string, by: string | null) => string>;
  mailbox: (address: string) => string;
  storage: Record<80 | 100, string>;
  noSubject: string;
  subject: (business: string, title: string) => string;
  count: (count: number) => string;
  more: (count: number) => string;
  footer: (business: string, settings: string) => string;
  test: { title: string; mail: string; push: string };
}

const copies: Record<Language, NotificationCopy> = {
  en: {
    titles: {
      assigned: (subject) => `Assigned to you: ${subject}`,
      mentioned: (subject, by) => `${by ? `${by} mentioned you` : 'You were mentioned'}: ${subject}`,
      escalation: (subject, by) => `${by ?? 'An agent'} needs you: ${subject}`,
      failed_email: (subject) => `Not delivered: ${subject}`,
      snooze_ended: (subject) => `In the inbox again: ${subject}`,
      cancelled: (subject) => `Cancelled by a colleague: ${subject}`,
      cancelled_by_reply: (subject) => `Not sent, because they replied: ${subject}`,
    },
    mailbox: (address) => `The mailbox ${address} can’t be read`,
    storage: { 80: '80% of the storage is used', 100: 'Storage is full, and emails may be refused' },
    noSubject: 'no subject',
    subject: (business, title) => `${business}: ${title}`,
    count: (count) => `${count} notifications`,
    more: (count) => `And ${count} more:`,
    footer: (business, settings) =>
      `You get this email as a member of ${business} on Frontdesk. Choose what you are notified of: ${settings}`,
    test: {
      title: 'Test notification',
      mail: 'Emails about your notifications reach you here.',
      push: 'Notifications appear like this.',
    },
  },
  de: {
    titles: {
      assigned: (subject) => `Ihnen zugewiesen: ${subject}`,
      mentioned: (subject, by) => `${by ? `${by} hat Sie erwähnt` : 'Sie wurden erwähnt'}: ${subject}`,
      escalation: (subject, by) => `${by ?? 'Ein Agent'} braucht Sie: ${subject}`,
      failed_email: (subject) => `Nicht zugestellt: ${subject}`,
      snooze_ended: (subject) => `Wieder im Posteingang: ${subject}`,
      cancelled: (subject) => `Von einem Teammitglied abgebrochen: ${subject}`,
      cancelled_by_reply: (subject) => `Nicht gesendet, weil eine Antwort kam: ${subject}`,
    },
    mailbox: (address) => `Das Postfach ${address} kann nicht gelesen werden`,
    storage: { 80: '80\u00a0% des Speichers sind belegt', 100: 'Der Speicher ist voll, E-Mails können abgelehnt werden' },
    noSubject: 'kein Betreff',
    subject: (business, title) => `${business}: ${title}`,
    count: (count) => `${count} Benachrichtigungen`,
    more: (count) => `Und ${count} weitere:`,
    footer: (business, settings) =>
      `Sie erhalten diese E-Mail als Mitglied von ${business} bei Frontdesk. Wählen Sie, worüber Sie benachrichtigt werden: ${settings}`,
    test: {
      title: 'Test-Benachrichtigung',
      mail: 'E-Mails zu Ihren Benachrichtigungen kommen hier an.',
      push: 'So sehen Benachrichtigungen aus.',
    },
  },
  fr: {
    titles: {
      assigned: (subject) => `Attribué à vous\u00a0: ${subject}`,
      mentioned: (subject, by) => `${by ? `${by} vous a mentionné` : 'Vous avez été mentionné'}\u00a0: ${subject}`,
      escalation: (subject, by) => `${by ?? 'Un agent'} a besoin de vous\u00a0: ${subject}`,
      failed_email: (subject) => `Non distribué\u00a0: ${subject}`,
      snooze_ended: (subject) => `De retour dans la boîte de réception\u00a0: ${subject}`,
      cancelled: (subject) => `Annulé par un collègue\u00a0: ${subject}`,
      cancelled_by_reply: (subject) => `Non envoyé, car une réponse est arrivée\u00a0: ${subject}`,
    },
    mailbox: (address) => `La boîte aux lettres ${address} ne peut pas être lue`,
    storage: {
      80: '80\u00a0% de l’espace de stockage est utilisé',
      100: 'L’espace de stockage est plein, des e-mails peuvent être refusés',
    },
    noSubject: 'sans objet',
    subject: (business, title) => `${business}\u00a0: ${title}`,
    count: (count) => `${count} notifications`,
    more: (count) => `Et ${count} de plus\u00a0:`,
    footer: (business, settings) =>
      `Vous recevez cet e-mail en tant que membre de ${business} sur Frontdesk. Choisissez vos notifications\u00a0: ${settings}`,
    test: {
      title: 'Notification de test',
      mail: 'Les e-mails de vos notifications arrivent ici.',
      push: 'Les notifications s’affichent ainsi.',
    },
  },
  es: {
    titles: {
      assigned: (subject) => `Se le ha asignado: ${subject}`,
      mentioned: (subject, by) => `${by ? `${by} le ha mencionado` : 'Se le ha mencionado'}: ${subject}`,
      escalation: (subject, by) => `${by ?? 'Un agente'} le necesita: ${subject}`,
      failed_email: (subject) => `No entregado: ${subject}`,
      snooze_ended: (subject) => `De nuevo en la bandeja de entrada: ${subject}`,
      cancelled: (subject) => `Cancelado por un compañero: ${subject}`,
      cancelled_by_reply: (subject) => `No enviado, porque llegó una respuesta: ${subject}`,
    },
    mailbox: (address) => `No se puede leer el buzón ${address}`,
    storage: {
      80: 'Se ha usado el 80\u00a0% del almacenamiento',
      100: 'El almacenamiento está lleno y se pueden rechazar correos',
    },
    noSubject: 'sin asunto',
    subject: (business, title) => `${business}: ${title}`,
    count: (count) => `${count} notificaciones`,
    more: (count) => `Y ${count} más:`,
    footer: (business, settings) =>
      `Recibe este correo como miembro de ${business} en Frontdesk. Elija sobre qué se le notifica: ${settings}`,
    test: {
      title: 'Notificación de prueba',
      mail: 'Los correos de sus notificaciones llegan aquí.',
      push: 'Las notificaciones se muestran así.',
    },
  },
};

/** The title of a notification about a conversation, in each language. */
export function titleOf(
  kind: ConversationNotice,
  { subject, by = null }: { subject: string; by?: string | null },
): (language: Language) => string {
  return (language) => {
    const { titles, noSubject } = copies[language];
    return titles[kind](subject.trim() || noSubject, by);
  };
}

/** The title of a notification about the storage of the plan, in each language. @param threshold per cent that is reached */
export function storageTitle(threshold: 80 | 100): (language: Language) => string {
  return (language) => copies[language].storage[threshold];
}

/** The title of a notification about a mailbox that can't be read, in each language. */
export function mailboxTitle(address: string): (language: Language) => string {
  return (language) => copies[language].mailbox(address);
}

/** "4 notifications": one push for several. */
export function countText(language: Language, count: number): string {
  return copies[language].count(count);
}

/** A notification as it is mailed. */
export interface MailedNotification {
  /** In the language of the email. */
  title: string;
  kind: NotificationKind;
  conversationId: string | null;
}

/** Further ones are only counted. */
const listedMaximum = 20;

function footer(language: Language, business: string): string {
  return copies[language].footer(business, `${publicUrl()}/settings/notifications`);
}

/** One email about notifications of a member, oldest first. */
export function notificationsMail(language: Language, business: string, notifications: readonly MailedNotification[]): Notice {
  const { subject, count, more } = copies[language];
  const listed = notifications.slice(0, listedMaximum);
  const rest = notifications.length - listed.length;
  const [only] = notifications.length === 1 ? notifications : [];
  return plainNotice({ kind: 'notifications', language, business }, [
    subject(business, only ? only.title : count(notifications.length)),
    ...listed.map((each) => `${each.title}\n${publicUrl()}${notificationPath(each)}`),
    ...(rest > 0 ? [`${more(rest)} ${publicUrl()}/`] : []),
    footer(language, business),
  ]);
}

/** Shows a person that emails reach them. */
export function testNotificationMail(language: Language, business: string): Notice {
  const { subject, test } = copies[language];
  const { title, mail } = test;
  return plainNotice({ kind: 'test_notification', language, business }, [
    subject(business, title),
    mail,
    footer(language, business),
  ]);
}

/** Shows a person that pushes reach this browser. */
export function testNotificationPush(language: Language): { title: string; body: string } {
  const { title, push } = copies[language].test;
  return { title, body: push };
}
