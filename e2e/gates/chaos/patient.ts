import { expect, type Locator, type Page } from '@playwright/test'
import { openRowMenu, row, signIn, visit } from '../../steps.ts'
import { expectSound, fieldsOf, isAtRest } from './sound.ts'

/** A person gives up at last, though where every eighth call fails nothing takes nearly so many tries. */
const TRIES = 30
const soon = { timeout: 10_000 }

interface FormJob {
  /** Where the form is, or the button that opens it. */
  at: string
  opener?: string
  /** What its own button says. */
  submit: string
  fill: (page: Page) => Promise<void>
  /** The button to press in the end, where sending is only the beginning. */
  ends?: string
  /** The buttons of the list that go on with what an earlier try left behind, or clear it away: the first there is. */
  takeUp?: readonly string[]
  /** Where what was made is seen, and by what name. */
  seen: { at: string; name: string }
}

/** `left`: it said that what it is about is there already, or gone, because the answer of an earlier try was lost. */
type Outcome = 'taken' | 'left' | 'refused'

/** Somebody who reads what the console says, and does what it offers until the job is done. */
export class Patient {
  readonly page: Page
  readonly #username: string

  constructor(page: Page, username: string) {
    this.page = page
    this.#username = username
    // What is not there to be pressed is looked for again on the next look at the screen.
    page.setDefaultTimeout(10_000)
  }

  /** Fills in a form, sends it until it is taken, and looks whether what it was to make is there. */
  async make(job: FormJob): Promise<void> {
    const button = this.#button(job.submit)
    await patiently(`${job.submit}: ${job.seen.name}`, async () => {
      let outcome: Outcome | undefined
      if ((await this.#open(job, button)) && (await this.#fill(job)))
        await patiently(job.submit, async () => {
          outcome = await this.#send(job, button)
          return outcome !== 'refused'
        })
      if (outcome === 'left' && job.takeUp) await this.#takeUp(job.seen.at, job.takeUp)
      const isThere = await this.#sees(job.seen)
      if (outcome === 'taken') expect(isThere, `${job.seen.name}, whose form was taken`).toBe(true)
      return isThere
    })
  }

  /** Chooses in the menu of a row, and says yes, until the row is as it should be. */
  async act(at: string, name: string, action: string, isDone: () => Promise<boolean>): Promise<void> {
    await patiently(`${action} ${name}`, async () => {
      await this.#list(at)
      if (await isDone()) return true
      await this.#choose(name, action).catch(noMatter)
      await this.#list(at)
      return comes(isDone)
    })
  }

  /** Whether a list has such a row. */
  async #sees({ at, name }: { at: string; name: string }): Promise<boolean> {
    await this.#list(at)
    return comes(() => row(this.page, name).isVisible())
  }

  /** Goes to a path, and on through whatever is in the way, until `there` is seen; false where it is nowhere. */
  async #reach(path: string, there: Locator): Promise<boolean> {
    for (let tries = 0; tries < TRIES / 3; tries++) {
      await visit(this.page, path)
      await this.#settle()
      if (await comes(() => there.isVisible())) return true
    }
    return false
  }

  /** Until nothing is under way, and whatever stood in the way is dealt with as the screen offers. */
  async #settle(): Promise<void> {
    const { page } = this
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    const retry = { name: /^(Try again|Retry)$/ }
    await patiently(`go on at ${page.url()}`, async () => {
      await expectSound(page)
      if ((await ended.isVisible()) || new URL(page.url()).pathname.startsWith('/login')) {
        await signIn(page, this.#username).catch(noMatter)
        await isAtRest(page)
        return false
      }
      // What lies behind a dialog cannot be pressed, and need not be.
      const dialogs = page.getByRole('dialog')
      const layer = (await dialogs.count()) > 0 ? dialogs.last() : page
      const again = layer.getByRole('button', retry).first()
      if (!(await again.isVisible())) return true
      await again.click().catch(noMatter)
      // Whoever pressed it looks what becomes of it, before it is pressed again.
      await again.waitFor({ state: 'hidden', timeout: 1000 }).catch(noMatter)
      return false
    })
  }

  async #list(at: string): Promise<void> {
    const { page } = this
    const shown = page
      .getByRole('table')
      .or(page.getByRole('heading', { name: /^No / }))
      .first()
    expect(await this.#reach(at, shown), `whether ${at} shows its list`).toBe(true)
  }

  async #open({ at, opener }: FormJob, button: Locator): Promise<boolean> {
    if (opener === undefined) return this.#reach(at, button)
    const first = this.page.getByRole('button', { name: opener })
    if (!(await this.#reach(at, first))) return false
    await first.click()
    return comes(() => button.isVisible())
  }

  /** What a form offers to choose from may come late, or only when one tries again. */
  async #fill({ fill }: FormJob): Promise<boolean> {
    for (let tries = 0; tries < 3; tries++) {
      const isFilled = await fill(this.page).then(
        () => true,
        () => false,
      )
      await this.#settle()
      if (isFilled) return true
    }
    return false
  }

  async #send({ ends }: FormJob, button: Locator): Promise<Outcome> {
    const { page } = this
    const typed = await fieldsOf(page)
    await button.click()
    await this.#settle()
    if (ends !== undefined && (await this.#button(ends).isVisible()))
      return (await this.#end(ends)) ? 'taken' : 'refused'
    if (!(await button.isVisible())) return 'taken'
    expect(await fieldsOf(page), 'what was typed').toMatchObject(typed)
    const isMoot = page.getByText(/already exists|not found|overlaps|unfinished upload/i).first()
    if (!(await isMoot.isVisible())) return 'refused'
    await this.#button('Cancel').click()
    await page.getByRole('button', { name: /^Leave (form|this page)$/ }).click()
    return 'left'
  }

  /** Whether what was begun came to its end; otherwise one is back in the form. */
  async #end(ends: string): Promise<boolean> {
    let isDone = false
    await patiently(ends, async () => {
      await this.#settle()
      isDone = await comes(() => this.#button(ends).isEnabled())
      if (isDone) await this.#button(ends).click()
      else if (await this.#button('Back').isVisible()) await this.#button('Back').click()
      else return false
      return true
    })
    return isDone
  }

  async #takeUp(at: string, names: readonly string[]): Promise<void> {
    await this.#list(at)
    for (const name of names) {
      const button = this.#button(name)
      if (!(await button.isVisible())) continue
      await button.click().catch(noMatter)
      const dialog = this.page.getByRole('dialog').last()
      // Asked whether one is sure, one presses the same words again.
      if (await dialog.isVisible()) await dialog.getByRole('button', { name }).click().catch(noMatter)
      return this.#settle()
    }
  }

  #button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true }).last()
  }

  async #choose(name: string, action: string): Promise<void> {
    await openRowMenu(this.page, name)
    await this.page.getByRole('menuitem', { name: action, exact: true }).click()
    await this.page.getByRole('button', { name: 'Confirm' }).click()
    await this.#settle()
  }
}

/** What cannot be done now is done when the screen has been read again. */
const noMatter = (): void => undefined

const comes = (isSo: () => Promise<boolean>): Promise<boolean> =>
  expect
    .poll(isSo, soon)
    .toBe(true)
    .then(
      () => true,
      () => false,
    )

async function patiently(what: string, once: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) if (await once()) return
  throw new Error(`tried ${TRIES} times: ${what}`)
}
