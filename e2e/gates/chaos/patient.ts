import { expect, type Locator, type Page } from '@playwright/test'
import { openRowMenu, row, signIn, visit } from '../../support/steps.ts'
import { expectSound, fieldsOf, isAtRest } from './sound.ts'

/** A bound that is not reached when one call in eight fails. */
const TRIES = 30
const soon = { timeout: 10_000 }

interface FormJob {
  /** The path of the form, or of the button that opens it. */
  at: string
  opener?: string
  /** The form's own button. */
  submit: string
  fill: (page: Page) => Promise<void>
  /** The button that finishes, if submitting only starts the work. */
  finishButton?: string
  /**
   * Buttons of the list that resume or discard what an earlier attempt left behind; the first visible one is
   * used.
   */
  leftoverButtons?: readonly string[]
  /** Where the created object is listed, and its name. */
  listed: { at: string; name: string }
}

/** `moot`: the object already exists or is gone, because the response to an earlier attempt was lost. */
type Outcome = 'accepted' | 'moot' | 'refused'

/** A user who reads the console's messages and follows them until the job is done. */
export class PersistentUser {
  readonly page: Page
  readonly #username: string

  constructor(page: Page, username: string) {
    this.page = page
    this.#username = username
    // A control that is missing now is looked up again on the next pass.
    page.setDefaultTimeout(10_000)
  }

  /** Fills in and submits a form until it is accepted, and checks that the object exists. */
  async make(job: FormJob): Promise<void> {
    const button = this.#button(job.submit)
    await retryUntilDone(`${job.submit}: ${job.listed.name}`, async () => {
      let outcome: Outcome | undefined
      if ((await this.#open(job, button)) && (await this.#fill(job)))
        await retryUntilDone(job.submit, async () => {
          outcome = await this.#send(job, button)
          return outcome !== 'refused'
        })
      if (outcome === 'moot' && job.leftoverButtons)
        await this.#handleLeftovers(job.listed.at, job.leftoverButtons)
      const isListed = await this.#isListed(job.listed)
      if (outcome === 'accepted') expect(isListed, `${job.listed.name}, whose form was accepted`).toBe(true)
      return isListed
    })
  }

  /** Selects an action in a row's menu and confirms it, until `isDone`. */
  async act(at: string, name: string, action: string, isDone: () => Promise<boolean>): Promise<void> {
    await retryUntilDone(`${action} ${name}`, async () => {
      await this.#list(at)
      if (await isDone()) return true
      await this.#choose(name, action).catch(ignoreFailure)
      await this.#list(at)
      return becomesTrue(isDone)
    })
  }

  /** Whether the list contains the row. */
  async #isListed({ at, name }: { at: string; name: string }): Promise<boolean> {
    await this.#list(at)
    return becomesTrue(() => row(this.page, name).isVisible())
  }

  /** Opens a path, handling whatever intervenes, until `there` is visible; false if it never is. */
  async #reach(path: string, there: Locator): Promise<boolean> {
    for (let tries = 0; tries < TRIES / 3; tries++) {
      await visit(this.page, path)
      await this.#settle()
      if (await becomesTrue(() => there.isVisible())) return true
    }
    return false
  }

  /** Waits until nothing is pending, and handles an ended session and offered retries. */
  async #settle(): Promise<void> {
    const { page } = this
    const ended = page.getByRole('dialog', { name: 'Your session has ended' })
    const retry = { name: /^(Try again|Retry)$/ }
    await retryUntilDone(`settle at ${page.url()}`, async () => {
      await expectSound(page)
      if ((await ended.isVisible()) || new URL(page.url()).pathname.startsWith('/login')) {
        await signIn(page, this.#username).catch(ignoreFailure)
        await isAtRest(page)
        return false
      }
      // A dialog blocks everything behind it.
      const dialogs = page.getByRole('dialog')
      const layer = (await dialogs.count()) > 0 ? dialogs.last() : page
      const again = layer.getByRole('button', retry).first()
      if (!(await again.isVisible())) return true
      await again.click().catch(ignoreFailure)
      // Wait for its effect before clicking again.
      await again.waitFor({ state: 'hidden', timeout: 1000 }).catch(ignoreFailure)
      return false
    })
  }

  async #list(at: string): Promise<void> {
    const { page } = this
    const shown = page
      .getByRole('table')
      .or(page.getByRole('heading', { name: /^No / }))
      .first()
    expect(await this.#reach(at, shown), `${at} shows its list`).toBe(true)
  }

  async #open({ at, opener }: FormJob, button: Locator): Promise<boolean> {
    if (opener === undefined) return this.#reach(at, button)
    const first = this.page.getByRole('button', { name: opener })
    if (!(await this.#reach(at, first))) return false
    await first.click()
    return becomesTrue(() => button.isVisible())
  }

  /** The options of a form may load late, or only after a retry. */
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

  async #send({ finishButton }: FormJob, button: Locator): Promise<Outcome> {
    const { page } = this
    const typed = await fieldsOf(page)
    await button.click()
    await this.#settle()
    if (finishButton !== undefined && (await this.#button(finishButton).isVisible()))
      return (await this.#finish(finishButton)) ? 'accepted' : 'refused'
    // A spinner stays for half a second, with a label of its own.
    const anySubmit = page.locator('button[type=submit]')
    await becomesTrue(async () => (await button.isVisible()) || (await anySubmit.count()) === 0)
    if (!(await button.isVisible())) return 'accepted'
    expect(await fieldsOf(page), 'what was typed').toMatchObject(typed)
    const isMoot = page.getByText(/already exists|not found|overlaps|unfinished upload/i).first()
    if (!(await isMoot.isVisible())) return 'refused'
    await this.#button('Cancel').click()
    await page.getByRole('button', { name: /^Leave (form|this page)$/ }).click()
    return 'moot'
  }

  /** True if the work finished; false if the form is shown again. */
  async #finish(finishButton: string): Promise<boolean> {
    let isDone = false
    await retryUntilDone(finishButton, async () => {
      await this.#settle()
      isDone = await becomesTrue(() => this.#button(finishButton).isEnabled())
      if (isDone) await this.#button(finishButton).click()
      else if (await this.#button('Back').isVisible()) await this.#button('Back').click()
      else return false
      return true
    })
    return isDone
  }

  async #handleLeftovers(at: string, names: readonly string[]): Promise<void> {
    await this.#list(at)
    for (const name of names) {
      const button = this.#button(name)
      if (!(await button.isVisible())) continue
      await button.click().catch(ignoreFailure)
      const dialog = this.page.getByRole('dialog').last()
      // The confirming button has the same label.
      if (await dialog.isVisible()) await dialog.getByRole('button', { name }).click().catch(ignoreFailure)
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

/** The next pass reads the screen again, so a failed click does not matter. */
const ignoreFailure = (): void => undefined

const becomesTrue = (condition: () => Promise<boolean>): Promise<boolean> =>
  expect
    .poll(condition, soon)
    .toBe(true)
    .then(
      () => true,
      () => false,
    )

async function retryUntilDone(what: string, attempt: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) if (await attempt()) return
  throw new Error(`gave up after ${TRIES} attempts: ${what}`)
}
