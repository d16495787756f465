import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Key, type WebDriver, type WebElement } from 'selenium-webdriver'
import { expect } from '@playwright/test'

const library = readFileSync(
  fileURLToPath(import.meta.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js')),
  'utf8',
)

type Words = string | RegExp
/** One narrowing of what is found; runs in the page, so it is data. */
type Step = { by: 'role' | 'label' | 'text' | 'css' | 'nth'; value: string; name?: string; flags?: string }

/**
 * Elements of a page in WebKit, found anew by each use, by the names that users and screen readers know; the
 * counterpart of Playwright's locators, which do not drive WebKit as Debian packages it.
 */
export class Place {
  readonly #driver: WebDriver
  readonly #steps: readonly Step[]
  constructor(driver: WebDriver, steps: readonly Step[] = []) {
    this.#driver = driver
    this.#steps = steps
  }

  role(role: string, name?: Words): Place {
    return this.#then({ by: 'role', value: role, ...(name !== undefined && named(name)) })
  }

  labelled(label: Words): Place {
    return this.#then({ by: 'label', value: '', ...named(label) })
  }

  text(text: Words): Place {
    return this.#then({ by: 'text', value: '', ...named(text) })
  }

  css(selector: string): Place {
    return this.#then({ by: 'css', value: selector })
  }

  first(): Place {
    return this.#then({ by: 'nth', value: '0' })
  }

  #then(step: Step): Place {
    return new Place(this.#driver, [...this.#steps, step])
  }

  async all(): Promise<WebElement[]> {
    const isReady = await this.#driver.executeScript<boolean>('return "TestingLibraryDom" in globalThis')
    if (!isReady) await this.#driver.executeScript(library)
    return this.#driver.executeScript<WebElement[]>(`return (${find.toString()})(arguments[0])`, this.#steps)
  }

  /** The only element here; throws if there is none or several. */
  async one(): Promise<WebElement> {
    const found = await this.all()
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} elements are ${this.toString()}`)
    return found[0]
  }

  /** The driver scrolls the window alone, and so clicks what covers an element of a scrolling form. */
  async #inSight(): Promise<WebElement> {
    const element = await this.one()
    await this.#driver.executeScript('arguments[0].scrollIntoView({ block: "center" })', element)
    return element
  }

  toString(): string {
    return this.#steps
      .map(({ by, value, name }) => `${value || by}${name === undefined ? '' : ` "${name}"`}`)
      .join(' › ')
  }

  /** Retries while the element is covered, moves or is replaced. */
  async click(): Promise<void> {
    await expect(async () => (await this.#inSight()).click()).toPass({ timeout: 20_000 })
  }

  /** Replaces the value by typing. */
  async fill(value: string): Promise<void> {
    await this.click()
    await this.#driver
      .actions()
      .keyDown(Key.CONTROL)
      .sendKeys('a')
      .keyUp(Key.CONTROL)
      .sendKeys(value === '' ? Key.DELETE : value)
      .perform()
    await expect.poll(() => this.property('value')).toBe(value)
  }

  /** Selects an option of a select element by its text. */
  async select(option: string): Promise<void> {
    await expect(async () => {
      const element = await this.#inSight()
      await element.findElement({ xpath: `.//option[normalize-space()="${option}"]` }).click()
    }).toPass({ timeout: 20_000 })
  }

  /** Chooses a file in a file field, which may be invisible. */
  async choose(path: string): Promise<void> {
    await (await this.one()).sendKeys(path)
  }

  async property(name: string): Promise<unknown> {
    return this.#driver.executeScript('return arguments[0][arguments[1]]', await this.one(), name)
  }

  async isFocused(): Promise<void> {
    const count = async () => (await this.all()).length === 1 && (await this.hasFocus())
    await expect.poll(count, { message: `${this.toString()} has the focus` }).toBe(true)
  }

  async hasFocus(): Promise<boolean> {
    return this.#driver.executeScript('return arguments[0] === document.activeElement', await this.one())
  }

  /** Waits until these are visible. */
  async shows(count = 1): Promise<void> {
    await expect.poll(async () => (await this.all()).length, { message: this.toString() }).toBe(count)
  }

  isGone(): Promise<void> {
    return this.shows(0)
  }

  async contains(text: Words): Promise<void> {
    const read = async () => {
      const found = await this.all()
      return found.length === 1 ? String(await this.property('textContent')) : ''
    }
    const wanted = expect.poll(read, { message: this.toString(), timeout: 30_000 })
    await (typeof text === 'string' ? wanted.toContain(text) : wanted.toMatch(text))
  }
}

const named = (words: Words) =>
  typeof words === 'string' ? { name: words } : { name: words.source, flags: words.flags }

/** The queries of Testing Library, as its script defines them in the page. */
interface Queries {
  queryAllByRole: (scope: HTMLElement, role: string, options: object) => HTMLElement[]
  queryAllByLabelText: (scope: HTMLElement, label: string | RegExp, options: object) => HTMLElement[]
  queryAllByText: (scope: HTMLElement, text: string | RegExp) => HTMLElement[]
}

/** Runs in the page. */
function find(steps: readonly Step[]): HTMLElement[] {
  const queries = (globalThis as unknown as { TestingLibraryDom: Queries }).TestingLibraryDom
  let found = [document.body]
  for (const { by, value, name, flags } of steps) {
    const words = name !== undefined && flags !== undefined ? new RegExp(name, flags) : name
    // File fields are invisible behind their buttons.
    const isVisible = (element: HTMLElement) =>
      by === 'css' || (element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]'))
    const within = (scope: HTMLElement): HTMLElement[] => {
      if (by === 'role')
        return queries.queryAllByRole(scope, value, {
          hidden: true,
          ...(words !== undefined && { name: words }),
        })
      if (by === 'label')
        return queries.queryAllByLabelText(scope, words ?? '', { selector: 'input, textarea, select' })
      if (by === 'text') return queries.queryAllByText(scope, words ?? '')
      return [...scope.querySelectorAll<HTMLElement>(value)]
    }
    if (by === 'nth') found = found.slice(Number(value), Number(value) + 1)
    else found = [...new Set(found.flatMap(within))].filter(isVisible)
  }
  return found
}
