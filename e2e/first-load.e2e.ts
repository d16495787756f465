import { expect, test } from './test.ts'

const kB = 1000

test('the list of instances is light: scripts, styles, fonts and requests of its first load', async ({ open, gantry, project, api }) => {
  for (let number = 1; number <= 8; number++) {
    await api('member', 'POST', `/v1/instances?project=${project}`, {
      name: `one-of-many-${number}`,
      description: '',
      ncpus: 1,
      memory: 1024 ** 3,
      hostname: 'host',
      start: false,
    })
  }
  const page = await open('member', '/favicon.ico')
  const weights: Record<string, number> = { script: 0, stylesheet: 0, font: 0 }
  const asked: string[] = []
  const weighing: Promise<void>[] = []
  page.on('response', (response) => {
    const request = response.request()
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/v1/') || pathname.startsWith('/ext/')) asked.push(`${request.method()} ${pathname}`)
    const type = request.resourceType()
    if (!(type in weights)) return
    // As a client that takes gzip is served, whatever this browser asked for.
    const weigh = fetch(response.url(), { headers: { 'accept-encoding': 'gzip' } }).then(async (plain) => {
      const coded = Number(plain.headers.get('content-length') ?? 0)
      weights[type] = (weights[type] ?? 0) + (coded || (await plain.arrayBuffer()).byteLength)
    })
    weighing.push(weigh)
  })
  await page.goto(`${gantry.url}/projects/${project}/instances`)
  await expect(page.getByRole('row', { name: /one-of-many-8/ })).toBeVisible()
  await page.waitForLoadState('load')
  // What is fetched when idle belongs to later pages.
  await Promise.all(weighing)
  console.log('first load of the instances list, gzipped:', weights, asked)
  expect(weights.script).toBeLessThanOrEqual(120 * kB)
  expect(weights.stylesheet).toBeLessThanOrEqual(15 * kB)
  expect(weights.font).toBeLessThanOrEqual(75 * kB)
  expect(asked.filter((call) => !call.includes('/ext/v1/changes')).length).toBeLessThanOrEqual(4)
})
