import { row } from '../support/steps.ts'
import { expect, test } from '../support/test.ts'

const rounds = 8

test('a live change updates only its own row in a list of fifty', async ({ open, project, api }) => {
  test.setTimeout(120_000)
  const names = Array.from({ length: 50 }, (_, index) => `one-${String(index + 1).padStart(2, '0')}`)
  for (const name of names)
    await api('member', 'POST', `/v1/instances?project=${project}`, {
      name,
      description: '',
      ncpus: 1,
      memory: 1024 ** 3,
      hostname: name,
      start: false,
    })
  const page = await open('member', `/projects/${project}/instances`)
  await expect(page.getByRole('checkbox', { name: 'Select one-50' })).toBeVisible()
  await page.evaluate(() => {
    const touched = new Set<string>()
    const watch = new MutationObserver((records) => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement
        // Relative times update on their own.
        if (element?.closest('time')) continue
        const name = element?.closest('tr')?.querySelector('a.name')?.textContent
        if (name) touched.add(name)
      }
    })
    watch.observe(document.querySelector('tbody')!, { subtree: true, childList: true, characterData: true })
    Object.assign(globalThis, { touched })
  })

  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable')
  const read = async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    const of = (wanted: string) => (metrics.find(({ name }) => name === wanted)?.value ?? 0) * 1000
    return { script: of('ScriptDuration'), layout: of('LayoutDuration') + of('RecalcStyleDuration') }
  }
  const taken: { script: number; layout: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await read()
    const ncpus = round % 2 === 0 ? 3 : 2
    await api('admin', 'PUT', `/v1/instances/one-25?project=${project}`, { ncpus, memory: 1024 ** 3 })
    await expect(row(page, 'one-25')).toContainText(`${ncpus} vCPUs`)
    const after = await read()
    taken.push({ script: after.script - before.script, layout: after.layout - before.layout })
  }
  const median = (part: 'script' | 'layout'): string => {
    const sorted = taken.map((each) => each[part]).sort((a, b) => a - b)
    return `${(sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1)} ms`
  }
  console.log(
    `a live change in a list of 50: scripts ${median('script')}, layout ${median('layout')} (median)`,
  )
  expect(await page.evaluate(() => [...(globalThis as unknown as { touched: Set<string> }).touched])).toEqual(
    ['one-25'],
  )
})
