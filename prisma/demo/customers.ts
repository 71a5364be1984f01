import type { CreateCustomerInput } from '@/server/features/customers/customer.schema';
import type { Random } from './random';

/** Believable customers of a bicycle workshop: companies with fleets, shops, and people with a bike or two. */

const firstNames =
  `Ada Amir Anna Ben Carla Chidi Clara Daan Dina Elif Emil Eva Farid Finn Freya Goran Hana Hugo Ida Ines Jan Jonas
  Julia Kaya Lars Lea Leon Lina Luca Mads Maja Marek Mia Milan Nadia Nils Noor Olga Oskar Paula Pia Rafael Rosa Sami Selma Sofia
  Sven Tara Theo Tilda Tomas Vera Viktor Yara Zoe`.split(/\s+/);

const lastNames =
  `Adler Albrecht Andersen Aydin Bauer Berg Bianchi Brandt Costa Dahl Demir Diaz Eklund Fischer Fuchs Garcia Graf Haas
  Hansen Hoffmann Horvat Ivanova Jansen Jensen Kaya Keller Kowalski Kraus Kruse Larsen Lehmann Lindqvist Lorenz Maier Martens Moretti
  Nguyen Novak Okafor Olsen Petrov Popescu Quist Richter Rossi Sander Santos Schuster Silva Sommer Sorensen Thomsen Vogel Wagner
  Weber Winkler Yilmaz Zimmermann`.split(/\s+/);

const companyStems =
  `Alster Anker Bluefin Brickyard Canal Copper Dock Eastgate Elbe Ferry Foundry Granary Gull Kontor Lantern Lighthouse
  Mole Northpier Oakline Paper Quark Quayside Redbrick Ropewalk Saltwater Seaglass Signal Skerry Speicher Stern Tideway Timber Union
  Warehouse Westkai Windrose`.split(/\s+/);

const companyKinds = [
  'Labs',
  'Architects',
  'Couriers',
  'Coffee Roasters',
  'Bakery',
  'Design',
  'Logistics',
  'Press',
  'Dental Practice',
  'Kindergarten',
  'Insurance',
  'Consulting',
  'Hotel',
  'Energy',
  'Robotics',
  'Pharmacy',
];

const bikes = [
  'a steel commuter with hub gears',
  'a long cargo bike, electric',
  'two folding bikes',
  'a gravel bike',
  'a child’s bike and a trailer',
  'an old Dutch roadster',
  'a tandem',
  'a speed pedelec',
];

const remarks = [
  'Prefers to be called in the morning.',
  'Asks for the old parts back.',
  'Pays by invoice, 14 days.',
  'Wants a text when the bike is ready.',
  'Leaves the key with the neighbour on the ground floor.',
  'Came by recommendation of a courier.',
  'Interested in the cargo bike subscription; call again in spring.',
  'Brake pads wear fast: rides the bridge every day.',
  'Needs the bike back before Friday, always.',
];

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function phone(random: Random): string {
  return `+49 40 555 ${random.between(100, 999)} ${random.between(10, 99)}`;
}

function person(random: Random): { displayName: string; local: string } {
  const first = random.pick(firstNames);
  const last = random.pick(lastNames);
  return { displayName: `${first} ${last}`, local: `${first}.${last}`.toLowerCase() };
}

function companyCustomer(random: Random, company: string): CreateCustomerInput {
  const domain = `${slug(company)}.example`;
  const people = Array.from({ length: random.between(1, 3) }, () => person(random));
  const contacts = people.map(({ displayName, local }) => ({ email: `${local}@${domain}`, displayName }));
  if (random.chance(0.3)) contacts.push({ email: `office@${domain}`, displayName: `${company} office` });
  const fleet = random.between(2, 40);
  const tags = [
    'company',
    ...(fleet > 8 ? ['fleet'] : []),
    ...(random.chance(0.2) ? ['vip'] : []),
    ...(random.chance(0.15) ? ['overdue'] : []),
  ];
  return {
    contacts: contacts.filter(({ email }, index) => contacts.findIndex((other) => other.email === email) === index),
    company,
    phone: phone(random),
    tags,
    notes: `Fleet of ${fleet} bikes, ${random.pick(['serviced monthly', 'serviced twice a year', 'serviced on demand'])}. ${random.pick(remarks)}`,
    metadata: { customerNumber: `F-${random.between(1000, 9999)}`, fleetSize: fleet, invoiceByMail: random.chance(0.6) },
  };
}

function privateCustomer(random: Random): CreateCustomerInput {
  const { displayName, local } = person(random);
  const domain = random.pick(['post.example', 'mailbox.example', 'fjord.example', 'letters.example']);
  return {
    contacts: [{ email: `${local}${random.chance(0.3) ? random.between(60, 99) : ''}@${domain}`, displayName }],
    company: '',
    phone: random.chance(0.7) ? phone(random) : '',
    tags: [
      'private',
      ...(random.chance(0.25) ? ['cargo'] : []),
      ...(random.chance(0.2) ? ['subscription'] : []),
      ...(random.chance(0.08) ? ['vip'] : []),
    ],
    notes: random.chance(0.8) ? `Rides ${random.pick(bikes)}. ${random.chance(0.5) ? random.pick(remarks) : ''}`.trim() : '',
    metadata: random.chance(0.5) ? { lastService: `2026-${String(random.between(1, 11)).padStart(2, '0')}` } : {},
  };
}

/** `count` customers, oldest first; no e-mail address occurs twice. */
export function demoCustomers(random: Random, count: number): CreateCustomerInput[] {
  const companies = new Set<string>();
  const taken = new Set<string>();
  const customers: CreateCustomerInput[] = [];
  while (customers.length < count) {
    const company = `${random.pick(companyStems)} ${random.pick(companyKinds)}`;
    const isCompany = random.chance(0.4) && !companies.has(company);
    const customer = isCompany ? companyCustomer(random, company) : privateCustomer(random);
    if (customer.contacts.some(({ email }) => email !== undefined && taken.has(email))) continue;
    if (isCompany) companies.add(company);
    for (const { email } of customer.contacts) if (email) taken.add(email);
    customers.push(customer);
  }
  return customers;
}
