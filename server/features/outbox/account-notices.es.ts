import type { AccountNotices, KeyName, PasswordChange } from './account-notices.copy';

const noAction = 'Si fue usted, no tiene que hacer nada.';

const reviewSignIn = (resetUrl: string) =>
  `Si no, establezca ahora una contraseña nueva y revise después sus sesiones y sus formas de iniciar sesión: ${resetUrl}`;

const changedBy: Record<PasswordChange, string> = {
  settings: 'se cambió en la configuración. Se cerró la sesión en todos los demás navegadores',
  link: 'se estableció con un enlace enviado a esta dirección. Se cerró la sesión en todos los navegadores',
  operator: 'la estableció su administrador. Se cerró la sesión en todos los navegadores',
};

const named = ({ name, prefix, last4 }: KeyName) => `«${name}» (${prefix}…${last4})`;

const revokeKey = (keysUrl: string) => `Si no, revóquela y cambie su contraseña: ${keysUrl}`;

const disabledBecause = {
  failing: 'porque sus entregas fallan desde hace cinco días',
  gone: 'porque su servidor respondió que ya no existe (410)',
};

/** In Spanish. */
export const es: AccountNotices = {
  confirmEmail: ({ email, url }) => [
    'Confirme su dirección de correo',
    `Alguien, probablemente usted, quiere usar ${email} para iniciar sesión en Frontdesk. Para confirmarlo, abra este enlace en las próximas 24 horas:`,
    url,
    'El enlace funciona una sola vez, en un navegador donde haya iniciado sesión. Si no lo ha pedido usted, ignore este mensaje y no cambiará nada.',
  ],
  addressInUse: ({ email, signInUrl, resetUrl }) => [
    'Su dirección de correo ya está en uso',
    `Alguien intentó cambiar la dirección de su cuenta de Frontdesk a ${email}. Ya pertenece a otra cuenta, así que no se ha cambiado nada.`,
    `Si fue usted, inicie sesión como ${email}: ${signInUrl}`,
    `Si ha olvidado su contraseña, establezca una nueva: ${resetUrl}`,
  ],
  emailChangeRequested: ({ current, wanted, resetUrl }) => [
    'Su dirección de correo va a cambiar',
    `Alguien con sesión iniciada como ${current} pidió cambiar la dirección de la cuenta a ${wanted}. Cambiará cuando se abra el enlace enviado a esa dirección.`,
    noAction,
    `Si no, establezca ahora una contraseña nueva. Así se cancela el cambio y se cierran todas las sesiones: ${resetUrl}`,
  ],
  emailChanged: ({ former, current }) => [
    'Su dirección de correo ha cambiado',
    `Ahora se inicia sesión en la cuenta de Frontdesk ${former} como ${current}. Se cerró la sesión en todos los demás navegadores.`,
    noAction,
    'Si no, otra persona conoce su contraseña. Pida de inmediato a su administrador que restablezca su cuenta.',
  ],
  resetPassword: ({ email, url }) => [
    'Establezca una contraseña nueva',
    `Alguien, probablemente usted, pidió restablecer la contraseña de la cuenta de Frontdesk ${email}. Establezca una nueva en la próxima hora:`,
    url,
    'El enlace funciona una sola vez. Si no lo ha pedido usted, ignore este mensaje. Su contraseña sigue siendo la misma.',
  ],
  passwordChanged: ({ email, change, resetUrl }) => [
    'Su contraseña ha cambiado',
    `La contraseña de la cuenta de Frontdesk ${email} ${changedBy[change]}.`,
    noAction,
    `Si no, establezca ahora una contraseña nueva y revise después sus sesiones y claves de API: ${resetUrl}`,
  ],
  singleSignOnConnected: ({ email, provider, providerEmail, resetUrl }) => [
    'Se conectó el inicio de sesión único',
    `La cuenta ${providerEmail ? `${providerEmail} ` : ''}en ${provider} inicia ahora sesión en su cuenta de Frontdesk ${email}.`,
    noAction,
    reviewSignIn(resetUrl),
  ],
  singleSignOnDisconnected: ({ email, provider, resetUrl }) => [
    'Se desconectó el inicio de sesión único',
    `Su cuenta en ${provider} ya no inicia sesión en su cuenta de Frontdesk ${email}. Se cerró la sesión en todos los demás navegadores.`,
    noAction,
    reviewSignIn(resetUrl),
  ],
  keyCreated: ({ business, key, keysUrl }) => [
    'Se creó una clave de API',
    `${business} tiene una clave de API nueva: ${named(key)}. Las aplicaciones que la tengan pueden leer y cambiar todos los datos de esta empresa.`,
    noAction,
    revokeKey(keysUrl),
  ],
  keyReplaced: ({ business, key, keysUrl }) => [
    'Se reemplazó una clave de API',
    `Una clave de API de ${business} se reemplazó por una nueva: ${named(key)}.`,
    noAction,
    revokeKey(keysUrl),
  ],
  addressAdded: ({ business, address, profileUrl }) => [
    'Se añadió una dirección de correo',
    `${address} se añadió a las direcciones de correo de ${business}.`,
    noAction,
    `Si no, quítela y cambie su contraseña: ${profileUrl}`,
  ],
  webhookFailing: ({ business, url, webhooksUrl }) => [
    'Un webhook está fallando',
    `Las entregas a un webhook de ${business} fallan desde hace 24 horas: ${url}`,
    'Cada evento se vuelve a enviar durante unos tres días. Tras cinco días de fallos, el webhook se desactiva.',
    `Vea por qué fallan los intentos: ${webhooksUrl}`,
  ],
  webhookDisabled: ({ business, url, reason, webhooksUrl }) => [
    'Se desactivó un webhook',
    `Un webhook de ${business} se desactivó ${disabledBecause[reason]}: ${url}`,
    `Ya no recibe eventos. Actívelo de nuevo cuando funcione y recupere lo que se ha perdido: ${webhooksUrl}`,
  ],
  businessDeleted: ({ business, resetUrl }) => [
    'Se eliminó una empresa',
    `${business} y todos sus datos se han eliminado.`,
    noAction,
    `Si no, establezca una contraseña nueva y pida a su administrador una copia de seguridad: ${resetUrl}`,
  ],
};
