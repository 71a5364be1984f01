import { expectAccessible, signIn } from '../support/browser';
import { messages } from '../support/inbox';
import { deliverMail } from '../support/mail';
import { expect, test } from '../support/test';

/** How the inbox shows a message: its HTML, its plain text, its pictures and files. */

test('a mail with HTML runs nothing and loads nothing from elsewhere until asked', async ({ page, tenant, request }) => {
  const asked: string[] = [];
  await page.route('https://pics.example/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    });
  });
  const html = `<p>Look at this</p><script>document.title = 'run'</script><img src="https://pics.example/a.svg" onerror="parent.document.title = 'run'"
    width="80" height="40" alt="A bicycle"><img src="cid:logo.png" alt="Our logo"><a href="javascript:parent.document.title = 'run'">link</a>`;
  const { conversationId } = await deliverMail(request, tenant, {
    subject: 'Pictures',
    text: 'Look at this, in text',
    html,
    picture: {
      filename: 'logo.png',
      content: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
        'base64',
      ),
    },
  });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  const mail = page.frameLocator('iframe[title^="Message from Ann Quark"]');
  await expect(mail.getByText('Look at this')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show images' })).toBeVisible();
  expect(asked).toEqual([]);
  await expectAccessible(page);
  await mail.getByText('link').click();
  await expect(page).toHaveTitle('Pictures · Frontdesk');

  await page.getByRole('button', { name: 'Show images' }).click();
  await expect(mail.getByRole('img', { name: 'A bicycle' })).toHaveAttribute('src', 'https://pics.example/a.svg');
  await expect(page.getByRole('button', { name: 'Show images' })).toHaveCount(0);
  await expect.poll(() => asked).toContain('https://pics.example/a.svg');

  const message = page.getByRole('article', { name: 'Message from Ann Quark' });
  await message.getByRole('button', { name: 'Pictures in the text (1)' }).click();
  await message.getByRole('button', { name: 'Delete logo.png' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete attachment' }).click();
  await expect(message.getByRole('list', { name: 'Attachments' })).toContainText('logo.png');
  await expect(message.getByRole('button', { name: 'Pictures in the text' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Show plain text' }).click();
  await expect(messages(page)).toContainText(['Look at this, in text']);
});

test('a reply in plain text folds what it quotes, links safely, and its file can be downloaded and deleted', async ({
  page,
  tenant,
  request,
}) => {
  const id = `<first.${tenant.handle}@quark.example>`;
  await deliverMail(request, tenant, { subject: 'Offer', text: 'What does it cost?', headers: [`Message-ID: ${id}`] });
  const text = 'See https://quark.example/list.\n\nOn Mon, 16 Nov 2026, Ann Quark wrote:\n> What does it cost?\n';
  const { conversationId } = await deliverMail(request, tenant, {
    from: 'Bob Hill <bob@quark.example>',
    subject: 'Re: Offer',
    text,
    attachment: { filename: 'prices.csv', content: 'bike;1200' },
    headers: [`In-Reply-To: ${id}`],
  });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await expect(messages(page)).toHaveCount(2);
  const reply = page.getByRole('article', { name: 'Message from Bob Hill' });
  await expect(reply.getByRole('link', { name: 'https://quark.example/list' })).toHaveAttribute('rel', /noopener/);
  await expect(reply).not.toContainText('What does it cost?');
  await reply.getByRole('button', { name: 'Show quoted text' }).click();
  await expect(reply).toContainText('> What does it cost?');

  await reply.getByRole('button', { name: /^to / }).click();
  await expect(reply).toContainText('Bob Hill <bob@quark.example>');
  const download = page.waitForEvent('download');
  await reply.getByRole('link', { name: /prices\.csv/ }).click();
  expect((await download).suggestedFilename()).toBe('prices.csv');

  await reply.getByRole('button', { name: 'Delete prices.csv' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete attachment' }).click();
  await expect(reply.getByRole('list', { name: 'Attachments' })).toContainText('9 B, deleted');
  await expect(reply.getByRole('link', { name: /prices\.csv/ })).toHaveCount(0);
});

test.describe('in the dark', () => {
  test.use({ colorScheme: 'dark' });

  test('formatted mail is light on dark, and shown as it was sent when asked', async ({ page, tenant, request }) => {
    const html = '<div style="background: #ffffff; color: #111111"><p>Hello</p><p style="color: #000080">Blue</p></div>';
    const { conversationId } = await deliverMail(request, tenant, { subject: 'Colours', html });
    await signIn(page, tenant, `/inbox/${conversationId}`);
    const frame = page.locator('iframe[title$="formatted"]');
    await expect(frame.contentFrame().getByText('Hello')).toBeVisible();
    /** From 0 (black) to 255, over all that the frame shows. */
    const lightness = async () => {
      const picture = (await frame.screenshot()).toString('base64');
      return page.evaluate(async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0);
        const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
        let sum = 0;
        for (let index = 0; index < pixels.length; index += 4) sum += pixels[index + 1] ?? 0;
        return sum / (pixels.length / 4);
      }, picture);
    };
    await expect.poll(lightness).toBeLessThan(80);
    await page.getByRole('button', { name: 'Show original colors' }).click();
    await expect.poll(lightness).toBeGreaterThan(180);
  });
});
