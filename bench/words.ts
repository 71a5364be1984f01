/** What customers' notes are made of, the likeliest first. */
export const words = `
  invoice order meeting customer delivery contract quarter report morning phone prefers calls asked about price list
  discount sample shipment address office manager friend referral newsletter subscription renewal annual monthly payment
  late reminder sent received agreed project deadline budget proposal draft review feedback positive negative complaint
  resolved support ticket urgent weekend holiday travel conference booth spring summer autumn winter launch product
  feature request update training session workshop catering menu vegetarian allergy birthday anniversary gift garden
  kitchen bakery bread pastry coffee espresso machine repair warranty serial number battery charger cable adapter
  printer paper envelope stamp parcel courier warehouse stock shortage supplier factory quality inspection certificate
  audit accountant lawyer notary insurance claim damage photo camera studio lighting portrait wedding event ticketing
  venue stage music band singer guitar piano lesson teacher student school university library research laboratory
  chemistry physics biology medicine doctor nurse clinic appointment prescription pharmacy dentist patient recovery
  fitness yoga running cycling bicycle helmet mountain river valley harbour ferry island beach hotel reservation
  breakfast dinner lunch restaurant waiter chef recipe ingredient organic farm tractor harvest vineyard wine tasting
  cellar barrel bottle label brand logo website domain hosting server backup database migration password account profile
  settings language translation german english french spanish italian dutch polish danish swedish norwegian finnish
  portuguese turkish greek
`
  .trim()
  .split(/\s+/);

/** What company names are made of. */
export const syllables = `
  al an ar bel ben bor bra cal can cor dal den dor el en er fal fer gar gel gor hal han hel il in ka kel kor la len lin
  lor ma mar mel mon na nel nor ol or pal per pol qua ral ren ri rok sal sen sol ta tel tor ul van vel vor wal wen zan
`
  .trim()
  .split(/\s+/);
