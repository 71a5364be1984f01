import type { DemoThread } from './thread';

const hello = 'hello@harborlane.example';
const sales = 'sales@harborlane.example';
const workshop = 'workshop@harborlane.example';
const inboxManager = 'inbox-manager@harborlane.example';

const mara = { email: 'mara@harborlane.example' };
const aylin = { email: 'aylin@harborlane.example' };

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="420" height="180" viewBox="0 0 420 180">
<rect width="420" height="180" rx="12" fill="#eef4f3"/><circle cx="120" cy="120" r="44" fill="none" stroke="#1f6f6b" stroke-width="6"/>
<circle cx="300" cy="120" r="44" fill="none" stroke="#1f6f6b" stroke-width="6"/>
<path d="M120 120 L180 60 L270 60 L300 120 M180 60 L205 120 L120 120 M205 120 L270 60" fill="none" stroke="#20302f" stroke-width="6"/></svg>`;

/** Newest first. */
export const demoThreads: readonly DemoThread[] = [
  {
    ...{ subject: 'Your parcel waits for payment', to: hello, isTrashed: true },
    from: { name: 'Parcel Desk', email: 'service@parcels-and-fees.example' },
    messages: [{ hoursAgo: 0.2, text: 'A parcel could not be delivered. Pay the fee of 1.99 within a day to get it.' }],
  },
  {
    subject: 'Brakes squeal on the cargo bike',
    labels: ['Repair'],
    from: { customer: 3 },
    to: workshop,
    assignee: aylin,
    messages: [
      {
        hoursAgo: 0.4,
        text: `Good morning,

since yesterday the front brake of our cargo bike squeals so loudly that people turn round. It still brakes, but the lever comes closer to the bar than it used to.

We deliver with it every day until six. Could you look at it tomorrow evening, or is there somebody who could come by?

Thank you`,
      },
    ],
  },
  {
    subject: 'Offer for six company bikes',
    labels: ['Fleet', 'Order'],
    from: { name: 'Lina Albrecht', email: 'lina.albrecht@quayside-architects.example' },
    to: sales,
    messages: [
      {
        hoursAgo: 27,
        text: `Hello Harbor Lane,

we are moving to the old customs house in January and would like to give our team six bikes instead of two parking spaces. Four city bikes, two of them electric, and two folding bikes for the train.

Could you make us an offer, with fleet care for the first year?

Best regards
Lina Albrecht
Quayside Architects`,
        html: `<p>Hello Harbor Lane,</p><p>we are moving to the old customs house in January and would like to give our team <b>six bikes</b> instead of two parking spaces:</p><table border="1" cellpadding="6" style="border-collapse:collapse"><tr><th align="left">What</th><th>How many</th></tr><tr><td>City bikes</td><td align="center">2</td></tr><tr><td>City bikes, electric</td><td align="center">2</td></tr><tr><td>Folding bikes</td><td align="center">2</td></tr></table><p>Could you make us an offer, with fleet care for the first year?</p><p>Best regards<br>Lina Albrecht<br><i>Quayside Architects</i></p>`,
        cc: 'Paul Kontor <paul@quayside-architects.example>',
      },
      {
        hoursAgo: 25,
        reply: `Hello Lina,

six bikes instead of two parking spaces: we like how you count.

You get an offer by tomorrow noon. One question before: do the two folding bikes have to fit under a seat of the regional train? Then we would propose the smaller ones.`,
        roleId: 'inbox-manager',
      },
      {
        hoursAgo: 1.2,
        text: `Hi,

yes, under the seat please. Paul takes the 7:42 every day and it is always full.

And could we try one of the electric ones on Friday at noon?

Lina

On Fri, 20 Nov 2026 at 10:12, Harbor Lane Bicycles <sales@harborlane.example> wrote:
> Hello Lina,
>
> six bikes instead of two parking spaces: we like how you count.
>
> You get an offer by tomorrow noon. One question before: do the two folding bikes have to fit under a seat of the regional train?`,
        cc: 'Paul Kontor <paul@quayside-architects.example>',
      },
    ],
    changes: { status: 'waiting_human' },
    assignee: mara,
  },
  {
    subject: 'Invoice 2026-1187: wrong address',
    labels: ['Invoice'],
    from: { customer: 8 },
    to: hello,
    messages: [
      {
        hoursAgo: 3.1,
        text: `Dear team,

the invoice attached still has our old address in Ropewalk 12. Since October we are at Westkai 3. Our accounting can't book it like that. Could you send a corrected one?

Kind regards`,
        files: [
          {
            filename: 'invoice-2026-1187.txt',
            contentType: 'text/plain',
            content: 'Invoice 2026-1187\nFleet care, November\n340.00 EUR\nRopewalk 12\n',
          },
        ],
      },
    ],
  },
  {
    subject: 'Spare key for a frame lock',
    labels: ['Order'],
    from: { name: 'Nora Lindqvist', email: 'nora@bounces.example' },
    to: hello,
    messages: [
      { hoursAgo: 4, text: 'Hello, I lost the key of my frame lock. The number on it is 4417. Can you order one?\n\nNora' },
      {
        hoursAgo: 0.9,
        reply: 'Hello Nora,\n\nordered, it takes about a week. We write as soon as it is here.',
        roleId: 'inbox-manager',
      },
    ],
  },
  {
    subject: 'Bike rack in the courtyard',
    from: { name: 'Oskar Kruse', email: 'oskar.kruse@busy.example' },
    to: sales,
    messages: [
      {
        hoursAgo: 5,
        text: 'Dear team,\n\ndo you also build racks? Our courtyard has room for twenty bikes and now they lean on everything.\n\nOskar Kruse',
      },
      {
        hoursAgo: 0.8,
        reply:
          'Dear Oskar,\n\nwe do not build them, but we know who does and come along to measure. Would Tuesday at four suit you?',
      },
    ],
  },
  {
    subject: 'Which bike is this?',
    from: { name: 'Theo Sommer', email: 'theo.sommer@post.example' },
    to: hello,
    messages: [
      {
        hoursAgo: 6,
        text: 'Hello,\n\nI found this drawing in my grandfather’s papers. He said he bought it from you. Do you know the model, and are there parts for it?\n\nTheo Sommer',
        html: '<p>Hello,</p><p>I found this drawing in my grandfather’s papers. He said he bought it from you. Do you know the model, and are there parts for it?</p><p><img src="cid:bicycle@post.example" alt="A drawing of a bicycle" width="420"></p><p>Theo Sommer</p>',
        files: [{ filename: 'bicycle.svg', contentType: 'image/svg+xml', content: drawing, contentId: 'bicycle@post.example' }],
      },
    ],
    changes: { isRead: true, status: 'processing' },
    assignee: { email: 'tom@harborlane.example' },
  },
  {
    subject: 'Winter storage for a tandem',
    labels: ['Order'],
    from: { customer: 14 },
    to: inboxManager,
    assignee: { roleId: 'inbox-manager' },
    messages: [
      {
        hoursAgo: 9,
        text: 'Hi,\n\ndo you take a tandem into winter storage? It is 2.40 m long. And could it be checked in March, before our tour?\n\nBest',
      },
      {
        hoursAgo: 8,
        reply:
          'Hello,\n\nwe do, and yours would not be the longest one. Storage is 95 euros until the end of March, with a tune-up before you collect it.\n\nShall we put you down for next week?',
        roleId: 'inbox-manager',
      },
      {
        ...{ hoursAgo: 7.5, sendInHours: 40 },
        reply: 'Hello,\n\nhave you made up your mind? Two places are left, and we keep one for you until Friday.',
        roleId: 'inbox-manager',
      },
    ],
  },
  {
    subject: 'Out of office: Re: Your fleet visit on Monday',
    from: { customer: 21 },
    to: workshop,
    messages: [
      {
        hoursAgo: 20,
        text: 'I am out of the office until Tuesday and read no mail. In urgent cases please call our front desk.',
        headers: { 'Auto-Submitted': 'auto-replied' },
      },
    ],
    changes: { isRead: true },
  },
  {
    subject: 'Flat tyre again',
    labels: ['Repair'],
    from: { customer: 30 },
    to: workshop,
    messages: [
      {
        hoursAgo: 52,
        text: 'Hello, third flat in two weeks, always the rear wheel. I think the rim tape is gone. When can I come?',
      },
      {
        hoursAgo: 50,
        reply:
          'Hello,\n\nthree in two weeks is too many. Come tomorrow before ten and it is done the same day. The tape is on us if it was our wheel.',
        roleId: 'workshop-planner',
      },
      { hoursAgo: 28, text: 'It was the tape. Thank you for the quick help, rides like new!' },
    ],
    changes: { status: 'completed', isRead: true },
  },
  {
    subject: 'Subscription: second child seat',
    from: { customer: 40 },
    to: sales,
    messages: [
      {
        hoursAgo: 70,
        text: 'Hello,\n\nwe have had your cargo bike subscription since May and in February there will be two of them. Can a second seat be fitted, and what does it cost?',
      },
      {
        hoursAgo: 66,
        reply:
          'Congratulations! The box takes a second seat with a five-point belt; it is 12 euros a month more, fitting included. Tell us a week before and we do it while you wait.',
      },
    ],
  },
  {
    subject: 'Stolen bike, frame number needed',
    from: { name: 'Ines Okafor', email: 'ines.okafor@post.example' },
    to: hello,
    messages: [
      {
        hoursAgo: 75,
        text: 'Dear Harbor Lane,\n\nmy bike was stolen last night in front of the library. The police need the frame number. I bought it from you in 2023, a green city bike with a basket. Do you still have it?\n\nInes Okafor',
      },
      {
        hoursAgo: 74,
        reply:
          'Dear Ines,\n\nwe are sorry. The number is HL-23-0714; the receipt for the police is on its way by post as well. If it turns up with us, nobody leaves with it.',
        roleId: 'inbox-manager',
      },
      { hoursAgo: 73, text: 'You are wonderful. Thank you!' },
    ],
    changes: { status: 'completed', isRead: true, isArchived: true },
  },
  {
    subject: 'Newsletter: brake pads for the season',
    from: { name: 'Parts of the Week', email: 'news@parts-of-the-week.example' },
    to: hello,
    messages: [
      {
        hoursAgo: 80,
        text: 'This week: organic brake pads, all sizes. You get this because you are a dealer of ours.',
        html: '<table width="600" align="center" cellpadding="16" bgcolor="#f4f1ea"><tr><td><h1 style="font-family:Georgia,serif">Brake pads for the season</h1><p>Organic pads, all sizes, in stock.</p><p><img src="https://images.parts-of-the-week.example/pads.jpg" width="560" height="220" alt="Brake pads"></p><p><a href="https://parts-of-the-week.example/pads">See all sizes</a></p></td></tr></table>',
        headers: {
          'List-Id': '<dealers.parts-of-the-week.example>',
          'List-Unsubscribe': '<mailto:leave@parts-of-the-week.example?subject=Leave%20dealers>',
          Precedence: 'bulk',
        },
      },
    ],
    changes: { isRead: true },
  },
  {
    subject: 'You have won a voucher',
    from: { name: 'Prize Department', email: 'win@lucky-draws.example' },
    to: hello,
    messages: [{ hoursAgo: 95, text: 'Dear winner, your voucher waits. Send us your bank details to claim it today.' }],
    changes: { isSpam: true },
  },
  {
    subject: 'Test ride on Saturday?',
    from: { customer: 55 },
    to: sales,
    messages: [
      {
        hoursAgo: 98,
        text: 'Hi, is the long cargo bike there on Saturday for a test ride? We would bring two children and a dog.',
      },
      {
        hoursAgo: 97,
        reply: 'It is, and the dog may come too. Eleven o’clock? Bring helmets if you have small ones; we have the others.',
      },
      { hoursAgo: 96, text: 'Eleven is perfect, see you then.' },
    ],
    changes: { status: 'completed', isRead: true },
  },
  {
    subject: 'Fleet care: three more bikes from December',
    labels: ['Fleet'],
    from: { customer: 62 },
    to: hello,
    messages: [
      {
        hoursAgo: 120,
        text: 'Dear team,\n\nfrom December we have 13 bikes. Does fleet care still work for us, or do we need a second contract?\n\nAnd the bikes at the second site: could you see them on the same day?',
      },
      {
        hoursAgo: 118,
        reply:
          'Hello,\n\none contract is enough: up to ten bikes are in the flat rate, each further one is 29 euros a visit. Both sites on one day works if they are less than half an hour apart.',
        roleId: 'fleet-desk',
      },
    ],
    snoozeInHours: 45,
  },
  {
    subject: 'Zażółć gęślą jaźń — Fahrrad für München',
    from: { name: 'Zoë Grün', email: 'zoe@gruen.example' },
    to: sales,
    messages: [
      {
        hoursAgo: 150,
        text: 'Guten Tag,\n\nverschicken Sie Fahrräder auch nach München? Es geht um das Modell mit der grünen Gabel.\n\nViele Grüße\nZoë Grün 🚲',
      },
    ],
    changes: { isRead: true, status: 'waiting_human' },
    assignee: mara,
  },
];
