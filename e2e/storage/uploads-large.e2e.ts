import { visit } from '../support/steps.ts'
import { expect } from '../support/test.ts'
import { fill, imageOf, percent, progress, steps, submit, test, unfinished } from '../support/upload-steps.ts'
import { notOn } from '../support/target.ts'

// A trace would contain every byte that is sent.
test.use({ trace: 'off' })

test(
  'an upload of 300 MB survives a closed page, a dropped network and a killed server, byte for byte',
  notOn({ preview: 'closes the page, cuts the network and kills the server' }),
  async ({ open, project, api, gantry, file }) => {
    test.setTimeout(180_000)
    const disc = file(300 * 1_000_000 - (300_000_000 % 512))
    const first = await open('member', `/projects/${project}/images-new`)
    await fill(first, 'large', disc)
    await submit(first).click()
    await percent(first, 10)
    await first.close()

    const page = await first.context().newPage()
    await visit(page, `/projects/${project}/images`)
    await expect(unfinished(page)).toContainText(/Upload of large stopped at [1-9]\d? %/)
    let resent = 0
    const sent = new Set<string>()
    page.on('requestfinished', (request) => {
      if (request.method() !== 'PUT') return
      if (sent.has(request.url())) resent++
      sent.add(request.url())
    })
    await unfinished(page).locator('input[type=file]').setInputFiles(disc.path)
    await percent(page, 50)
    await page.context().setOffline(true)
    await expect(progress(page)).toContainText('The server cannot be reached', { timeout: 20_000 })
    await page.context().setOffline(false)

    await percent(page, 90)
    await gantry.kill()
    await gantry.start()
    await expect(steps(page, 'complete')).toHaveCount(4, { timeout: 40_000 })
    expect(await imageOf(api, project, 'large')).toMatchObject({
      size: disc.size,
      digest: { value: disc.sha256 },
    })
    // Each of the two interruptions can repeat one part on each of four streams.
    expect(resent).toBeLessThanOrEqual(8)
  },
)
