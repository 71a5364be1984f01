import type { AccountNotices, KeyName, PasswordChange } from './account-notices.copy';

const noAction = 'Si c’était vous, vous n’avez rien à faire.';

const reviewSignIn = (resetUrl: string) =>
  `Sinon, définissez tout de suite un nouveau mot de passe, puis vérifiez vos sessions et vos moyens de connexion\u00a0: ${resetUrl}`;

const changedBy: Record<PasswordChange, string> = {
  settings: 'a été modifié dans les paramètres. Tous les autres navigateurs ont été déconnectés',
  link: 'a été défini avec un lien envoyé à cette adresse. Tous les navigateurs ont été déconnectés',
  operator: 'a été défini par votre administrateur. Tous les navigateurs ont été déconnectés',
};

const named = ({ name, prefix, last4 }: KeyName) => `«\u202f${name}\u202f» (${prefix}…${last4})`;

const revokeKey = (keysUrl: string) => `Sinon, révoquez-la et changez votre mot de passe\u00a0: ${keysUrl}`;

const disabledBecause = {
  failing: 'parce que ses livraisons échouent depuis cinq jours',
  gone: 'parce que son serveur a répondu qu’il n’existe plus (410)',
};

/** In French. */
export const fr: AccountNotices = {
  confirmEmail: ({ email, url }) => [
    'Confirmez votre adresse e-mail',
    `Une personne, probablement vous, souhaite se connecter à Frontdesk avec ${email}. Pour confirmer, ouvrez ce lien dans les 24 heures\u00a0:`,
    url,
    'Le lien fonctionne une seule fois, dans un navigateur où vous êtes connecté. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail et rien ne changera.',
  ],
  addressInUse: ({ email, signInUrl, resetUrl }) => [
    'Votre adresse e-mail est déjà utilisée',
    `Une personne a voulu remplacer l’adresse e-mail de son compte Frontdesk par ${email}. Cette adresse appartient déjà à un autre compte, rien n’a donc été modifié.`,
    `Si c’était vous, connectez-vous plutôt en tant que ${email}\u00a0: ${signInUrl}`,
    `Si vous avez oublié votre mot de passe, définissez-en un nouveau\u00a0: ${resetUrl}`,
  ],
  emailChangeRequested: ({ current, wanted, resetUrl }) => [
    'Votre adresse e-mail va être modifiée',
    `Une personne connectée en tant que ${current} a demandé à remplacer l’adresse e-mail du compte par ${wanted}. Le changement aura lieu dès l’ouverture du lien envoyé à cette adresse.`,
    noAction,
    `Sinon, définissez tout de suite un nouveau mot de passe. Cela annule le changement et met fin à toutes les sessions\u00a0: ${resetUrl}`,
  ],
  emailChanged: ({ former, current }) => [
    'Votre adresse e-mail a été modifiée',
    `La connexion au compte Frontdesk ${former} se fait désormais avec ${current}. Tous les autres navigateurs ont été déconnectés.`,
    noAction,
    'Sinon, une autre personne connaît votre mot de passe. Demandez sans attendre à votre administrateur de rétablir votre compte.',
  ],
  resetPassword: ({ email, url }) => [
    'Définissez un nouveau mot de passe',
    `Une personne, probablement vous, a demandé à réinitialiser le mot de passe du compte Frontdesk ${email}. Définissez-en un nouveau dans l’heure\u00a0:`,
    url,
    'Le lien fonctionne une seule fois. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail. Votre mot de passe reste le même.',
  ],
  passwordChanged: ({ email, change, resetUrl }) => [
    'Votre mot de passe a été modifié',
    `Le mot de passe du compte Frontdesk ${email} ${changedBy[change]}.`,
    noAction,
    `Sinon, définissez tout de suite un nouveau mot de passe, puis vérifiez vos sessions et vos clés API\u00a0: ${resetUrl}`,
  ],
  singleSignOnConnected: ({ email, provider, providerEmail, resetUrl }) => [
    'L’authentification unique a été associée',
    `Le compte ${providerEmail ? `${providerEmail} ` : ''}chez ${provider} permet désormais de se connecter à votre compte Frontdesk ${email}.`,
    noAction,
    reviewSignIn(resetUrl),
  ],
  singleSignOnDisconnected: ({ email, provider, resetUrl }) => [
    'L’authentification unique a été dissociée',
    `Votre compte chez ${provider} ne permet plus de se connecter à votre compte Frontdesk ${email}. Tous les autres navigateurs ont été déconnectés.`,
    noAction,
    reviewSignIn(resetUrl),
  ],
  keyCreated: ({ business, key, keysUrl }) => [
    'Une clé API a été créée',
    `${business} a une nouvelle clé API\u00a0: ${named(key)}. Les applications qui l’ont peuvent lire et modifier toutes les données de cette entreprise.`,
    noAction,
    revokeKey(keysUrl),
  ],
  keyReplaced: ({ business, key, keysUrl }) => [
    'Une clé API a été remplacée',
    `Une clé API de ${business} a été remplacée par une nouvelle\u00a0: ${named(key)}.`,
    noAction,
    revokeKey(keysUrl),
  ],
  addressAdded: ({ business, address, profileUrl }) => [
    'Une adresse e-mail a été ajoutée',
    `${address} a été ajoutée aux adresses e-mail de ${business}.`,
    noAction,
    `Sinon, supprimez-la et changez votre mot de passe\u00a0: ${profileUrl}`,
  ],
  webhookFailing: ({ business, url, webhooksUrl }) => [
    'Un webhook est en échec',
    `Les livraisons à un webhook de ${business} échouent depuis 24 heures\u00a0: ${url}`,
    'Chaque événement est renvoyé pendant environ trois jours. Après cinq jours d’échecs, le webhook est désactivé.',
    `Voyez pourquoi les tentatives échouent\u00a0: ${webhooksUrl}`,
  ],
  webhookDisabled: ({ business, url, reason, webhooksUrl }) => [
    'Un webhook a été désactivé',
    `Un webhook de ${business} a été désactivé ${disabledBecause[reason]}\u00a0: ${url}`,
    `Il ne reçoit plus d’événements. Réactivez-le dès qu’il fonctionne, et récupérez ce qu’il a manqué\u00a0: ${webhooksUrl}`,
  ],
  businessDeleted: ({ business, resetUrl }) => [
    'Une entreprise a été supprimée',
    `${business} et toutes ses données ont été supprimées.`,
    noAction,
    `Sinon, définissez un nouveau mot de passe et demandez une sauvegarde à votre administrateur\u00a0: ${resetUrl}`,
  ],
};
