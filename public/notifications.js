// The service worker: shows notifications while the dashboard is closed (docs/adr/0030). It handles no requests.

self.addEventListener('push', (event) => {
  const { title, body, path, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon: '/icon.svg', data: { path } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.path));
});

/** Shows a tab that has the page open already; no other one is led away from what it shows. */
async function openPage(path) {
  const { href } = new URL(path, self.location.origin);
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = tabs.find(({ url }) => url === href);
  return open ? open.focus() : self.clients.openWindow(href);
}
