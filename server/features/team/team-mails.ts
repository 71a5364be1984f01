import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import type { Language } from '@/server/platform/languages.schema';
import { type Copy, type Notice, notice } from '../outbox/account-copy.service';

/** Emails about teams, in the language of the person they are for. */

interface Invited {
  business: string;
  role: TeamRole;
  /** Name of the person who invites; null for the operator. */
  by: string | null;
  url: string;
}

interface TeamCopy {
  invitation: (about: Invited) => Copy;
  roleChanged: (business: string, role: TeamRole) => Copy;
  ownership: (business: string) => Copy;
  removed: (business: string) => Copy;
}

/** What roles are called in a sentence. */
const roleNames: Record<Language, Record<TeamRole, string>> = {
  en: { owner: 'an owner', admin: 'an admin', member: 'a member', viewer: 'a viewer' },
  de: { owner: 'Owner', admin: 'Admin', member: 'Mitglied', viewer: 'Nur Lesen' },
  fr: { owner: 'propriétaire', admin: 'administrateur', member: 'membre', viewer: 'lecture seule' },
  es: { owner: 'propietario', admin: 'administrador', member: 'miembro', viewer: 'solo lectura' },
};

const copies: Record<Language, TeamCopy> = {
  en: {
    invitation: ({ business, role, by, url }) => [
      `Join ${business} on Frontdesk`,
      `${by ?? 'Your administrator'} invited you to join ${business} as ${roleNames.en[role]}. Open this link within 7 days to accept or decline:`,
      url,
      'The link is for this email address only. If you don’t know the sender, ignore this email and nothing happens.',
    ],
    roleChanged: (business, role) => [
      `Your role at ${business} was changed`,
      `You are now ${roleNames.en[role]} of ${business}.`,
      'If you didn’t expect this, ask an owner of the business.',
    ],
    ownership: (business) => [
      `You are now an owner of ${business}`,
      `You were made an owner of ${business}: you can do everything, including deleting the business.`,
      'If you didn’t expect this, ask another owner of the business.',
    ],
    removed: (business) => [
      `You were removed from ${business}`,
      `You no longer have access to ${business}. Your account and your other businesses stay as they are.`,
      'If you didn’t expect this, ask an owner of the business.',
    ],
  },
  de: {
    invitation: ({ business, role, by, url }) => [
      `Einladung zu ${business} bei Frontdesk`,
      `${by ?? 'Ihre Administration'} hat Sie eingeladen, bei ${business} mitzuarbeiten (Rolle: ${roleNames.de[role]}). Öffnen Sie innerhalb von 7 Tagen diesen Link, um anzunehmen oder abzulehnen:`,
      url,
      'Der Link gilt nur für diese E-Mail-Adresse. Wenn Ihnen der Absender unbekannt ist, ignorieren Sie diese E-Mail. Es geschieht dann nichts.',
    ],
    roleChanged: (business, role) => [
      `Ihre Rolle bei ${business} wurde geändert`,
      `Ihre Rolle bei ${business} ist jetzt: ${roleNames.de[role]}.`,
      'Wenn Sie das nicht erwartet haben, fragen Sie einen Owner des Unternehmens.',
    ],
    ownership: (business) => [
      `Sie sind jetzt Owner von ${business}`,
      `Sie wurden zum Owner von ${business} gemacht: Sie können alles tun, auch das Unternehmen löschen.`,
      'Wenn Sie das nicht erwartet haben, fragen Sie einen anderen Owner des Unternehmens.',
    ],
    removed: (business) => [
      `Sie wurden aus ${business} entfernt`,
      `Sie haben keinen Zugriff mehr auf ${business}. Ihr Konto und Ihre anderen Unternehmen bleiben unverändert.`,
      'Wenn Sie das nicht erwartet haben, fragen Sie einen Owner des Unternehmens.',
    ],
  },
  fr: {
    invitation: ({ business, role, by, url }) => [
      `Rejoignez ${business} sur Frontdesk`,
      `${by ?? 'Votre administrateur'} vous invite à rejoindre ${business} (rôle\u00a0: ${roleNames.fr[role]}). Ouvrez ce lien dans les 7 jours pour accepter ou refuser\u00a0:`,
      url,
      'Le lien n’est valable que pour cette adresse e-mail. Si vous ne connaissez pas l’expéditeur, ignorez cet e-mail et rien ne se passera.',
    ],
    roleChanged: (business, role) => [
      `Votre rôle chez ${business} a été modifié`,
      `Votre rôle chez ${business} est désormais\u00a0: ${roleNames.fr[role]}.`,
      'Si vous ne vous y attendiez pas, adressez-vous à un propriétaire de l’entreprise.',
    ],
    ownership: (business) => [
      `Vous êtes maintenant propriétaire de ${business}`,
      `Vous avez été nommé propriétaire de ${business}\u00a0: vous pouvez tout faire, y compris supprimer l’entreprise.`,
      'Si vous ne vous y attendiez pas, adressez-vous à un autre propriétaire de l’entreprise.',
    ],
    removed: (business) => [
      `Vous avez été retiré de ${business}`,
      `Vous n’avez plus accès à ${business}. Votre compte et vos autres entreprises restent inchangés.`,
      'Si vous ne vous y attendiez pas, adressez-vous à un propriétaire de l’entreprise.',
    ],
  },
  es: {
    invitation: ({ business, role, by, url }) => [
      `Únase a ${business} en Frontdesk`,
      `${by ?? 'Su administrador'} le invita a unirse a ${business} (rol: ${roleNames.es[role]}). Abra este enlace en los próximos 7 días para aceptar o rechazar:`,
      url,
      'El enlace solo es válido para esta dirección de correo. Si no conoce al remitente, ignore este mensaje y no ocurrirá nada.',
    ],
    roleChanged: (business, role) => [
      `Su rol en ${business} ha cambiado`,
      `Su rol en ${business} es ahora: ${roleNames.es[role]}.`,
      'Si no lo esperaba, consulte a un propietario de la empresa.',
    ],
    ownership: (business) => [
      `Ahora es propietario de ${business}`,
      `Ahora es propietario de ${business}: puede hacerlo todo, incluso eliminar la empresa.`,
      'Si no lo esperaba, consulte a otro propietario de la empresa.',
    ],
    removed: (business) => [
      `Se le ha quitado de ${business}`,
      `Ya no tiene acceso a ${business}. Su cuenta y sus otras empresas siguen igual.`,
      'Si no lo esperaba, consulte a un propietario de la empresa.',
    ],
  },
};

export function invitationMail(language: Language, about: Invited): Notice {
  return notice({ kind: 'team_invitation', language, business: about.business }, copies[language].invitation(about));
}

export function roleChangedMail(language: Language, business: string, role: TeamRole): Notice {
  return notice({ kind: 'team_role_changed', language, business }, copies[language].roleChanged(business, role));
}

export function ownershipMail(language: Language, business: string): Notice {
  return notice({ kind: 'team_role_changed', language, business }, copies[language].ownership(business));
}

export function removedMail(language: Language, business: string): Notice {
  return notice({ kind: 'team_removed', language, business }, copies[language].removed(business));
}
