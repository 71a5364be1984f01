import { readReply } from './server/calendar/ics/read-reply';
import { writeFeed } from './server/calendar/ics/write-calendar';
import { sampleEvent, sampleStamp, sampleAttendee } from './server/calendar/ics/sample-event';
import { timezoneDefinition } from './server/calendar/ics/timezone-definition';
import ICAL from 'ical.js';
import { tzlib_get_ical_block } from 'timezones-ical-library';
const M=1024*1024, head='BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:1\n';
const f=(b,r)=>b+r.repeat(Math.floor((M-b.length)/r.length));
for (const [n,t] of Object.entries({lb:f(head,'\n'),fold:f(head+'ATTENDEE;CN=a','\n b'),lost:f(head+'ATTENDEE;CN=a','\nb'),quotes:f(head+'ATTENDEE',';CN="'),uq:f(head,'ATTENDEE;CN=":mailto:a@b\n'),par:f(head+'ATTENDEE',';A=b'),caret:f(head+'ATTENDEE;X-RESPONSE-COMMENT=','^n'),ev:f('METHOD:REPLY\n','BEGIN:VEVENT\nUID:1\n'),cal:f('','BEGIN:VCALENDAR\nMETHOD:REPLY\n'),comp:f(head,'BEGIN:X\n'),att:f(head,'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.net\n'),x:f(head,'X:\n'),short:f(head,'a\n'),sp:f(head+'COMMENT:',' '), nul:f(head+'COMMENT:','\0')})) {const s=performance.now(); const r=readReply(t as string); console.log(n,(performance.now()-s).toFixed(0),r?.length)}
const zones=['Europe/Berlin','America/New_York','Asia/Kolkata'];
for (const len of [0,300,5000]) { const ev=Array.from({length:5000},(_,i)=>sampleEvent({uid:'e'+i,meetingUrl:'https://meet.example.com/j/1',description:'Übung '.repeat(len/6),attendees:[sampleAttendee()],series:{start:Date.UTC(2020,0,1)+i*3600e3*9,end:Date.UTC(2020,0,1)+i*3600e3*9+3600e3,timezone:zones[i%3],frequency:i%9?'none':'weekly',until:i%9?null:Date.UTC(2027,0,1)}})); const s=performance.now(); const t=writeFeed({name:'x',events:ev,stamp:sampleStamp}); console.log('feed',len,(performance.now()-s).toFixed(0),'ms',(t.length/1e6).toFixed(1),'MB');
 if(len===300){}}
// library vs ours, next 10 years, every 12 h... only around transitions
let bad=[], unknown=[];
for (const z of Intl.supportedValuesOf('timeZone')) { const b=tzlib_get_ical_block(z); if(!b||!b[0]){unknown.push(z);continue;}
 const A=new ICAL.Timezone(new ICAL.Component(ICAL.parse(b[0]))), B=new ICAL.Timezone(new ICAL.Component(ICAL.parse(timezoneDefinition(z,2026)))); let diff=null;
 for(let t=Date.UTC(2026,0,1);t<Date.UTC(2036,0,1);t+=36*3600e3){const d=new Date(t);const mk=(Z)=>new ICAL.Time({year:d.getUTCFullYear(),month:d.getUTCMonth()+1,day:d.getUTCDate(),hour:12,minute:0,second:0,isDate:false},Z).toUnixTime(); if(mk(A)!==mk(B)){diff=d.toISOString().slice(0,10);break}} if(diff)bad.push(z+' '+diff)}
console.log('unknown',unknown.join(' ')); console.log('differs',bad.length,bad.join(', '));
