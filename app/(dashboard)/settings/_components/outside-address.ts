/** Whether other mail servers can write to an address: names below .localhost exist on this computer only (RFC 6761, section 6.3). */
export const isOutside = (email: string) => !email.endsWith('.localhost');
