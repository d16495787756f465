import { expect } from '@playwright/test'
import { Key, type WebDriver } from 'selenium-webdriver'
import { findHiddenFocus } from '../support/keys.ts'
import { Place } from './place.ts'

/** A browser window in WebKit; what it shows is found like in a `Place`. */
export class Window extends Place {
  readonly #driver: WebDriver
  readonly #url: string
  constructor(driver: WebDriver, url: string) {
    super(driver)
    this.#driver = driver
    this.#url = url
  }

  visit(path: string): Promise<void> {
    return this.#driver.get(this.#url + path)
  }

  reload(): Promise<void> {
    return this.#driver.navigate().refresh()
  }

  /** Types where the focus is; a line feed is the Enter key. */
  async type(text: string): Promise<void> {
    await this.#driver.actions().sendKeys(text.replaceAll('\n', Key.ENTER)).perform()
  }

  async press(key: string, ...held: readonly string[]): Promise<void> {
    const actions = this.#driver.actions()
    for (const modifier of held) actions.keyDown(modifier)
    actions.sendKeys(key)
    for (const modifier of held) actions.keyUp(modifier)
    await actions.perform()
  }

  /** Presses Tab until the target has the focus, which must be visible there. */
  async tabTo(wanted: Place): Promise<void> {
    await wanted.shows()
    for (let steps = 0; steps < 60; steps++) {
      if (await wanted.hasFocus()) return
      await this.press(Key.TAB)
      expect(
        await this.#driver.executeScript(`return (${findHiddenFocus.toString()})()`),
        'focus is visible',
      ).toBeNull()
    }
    throw new Error(`Tab does not reach ${wanted.toString()}`)
  }

  async enter(wanted: Place): Promise<void> {
    await this.tabTo(wanted)
    await this.press(Key.ENTER)
  }

  isFocusIn(selector: string): Promise<boolean> {
    return this.#driver.executeScript(
      'return document.activeElement.closest(arguments[0]) !== null',
      selector,
    )
  }

  /** How many pixels of a canvas are not transparent; none while there is no canvas. */
  async paintedPixels(canvas: Place): Promise<number> {
    const [found] = await canvas.all()
    return found ? this.#driver.executeScript(`return (${countPainted.toString()})(arguments[0])`, found) : 0
  }

  async isAt(path: RegExp): Promise<void> {
    await expect.poll(() => this.#driver.getCurrentUrl()).toMatch(path)
  }

  /** Signs in by a session's cookie. */
  async signInBy(cookie: string): Promise<void> {
    const [name = '', value = ''] = cookie.split('=')
    // A cookie needs a page of its host.
    await this.visit('/favicon.ico')
    await this.#driver.manage().addCookie({ name, value, httpOnly: true, sameSite: 'Lax' })
  }

  language(): Promise<string> {
    return this.#driver.executeScript('return navigator.language')
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.#driver.takeScreenshot(), 'base64')
  }

  close(): Promise<void> {
    return this.#driver.quit()
  }
}

/** Runs in the page. */
function countPainted(canvas: HTMLCanvasElement): number {
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
  return data.filter((value, index) => index % 4 === 3 && value > 0).length
}
