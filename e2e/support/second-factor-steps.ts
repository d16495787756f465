import type { BrowserContext, Page } from '@playwright/test'
import type { Stage } from './stage.ts'
import { viewport } from './stage.ts'
import { signIn, visit } from './steps.ts'
import { test as base } from './test.ts'

export const secret = 'a long enough phrase'

let users = 0

/** Creates a user with a password, in a silo with local users. */
export async function newcomer(api: Stage['api'], silo = 'demo') {
  const name = `newcomer-${++users}`
  const user = (await api('admin', 'POST', `/v1/system/identity-providers/local/users?silo=${silo}`, {
    external_id: name,
    password: { mode: 'password', value: secret },
  })) as { id: string }
  return { name, id: user.id }
}

/** Signs in, and then shows the second factor settings. */
export const security = '/login/demo/local?redirect_uri=/settings/security'

/** Opens pages at a host name, because passkeys do not work on IP addresses. */
export const test = base.extend<{ openNamed: (path?: string) => Promise<Page> }>({
  openNamed: async ({ browser, gantry }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (path = security) => {
      const context = await browser.newContext({
        viewport,
        baseURL: gantry.url.replace('127.0.0.1', 'localhost'),
        permissions: ['clipboard-read', 'clipboard-write'],
      })
      contexts.push(context)
      const page = await context.newPage()
      await page.goto(path)
      return page
    })
    for (const context of contexts) await context.close()
  },
})

/** A platform authenticator that unlocks without a prompt while enabled. */
export async function virtualAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    unlocks: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

/** Signs in on a new page, and opens the second factor settings. */
export async function toSecurity(page: Page, name: string): Promise<void> {
  await signIn(page, name, secret)
  await page.getByRole('heading', { name: 'Security', exact: true }).waitFor()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Username').waitFor()
}

/** Reads the key in the open dialog that sets up an authenticator app. */
export async function readKey(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  const shown = await page.getByRole('group', { name: 'Key' }).getByRole('paragraph').innerText()
  return shown.replaceAll(/[^A-Z2-7]/g, '')
}

/** Adds a passkey under the suggested name; returns the recovery codes. */
export async function addPasskey(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  const codes = await readCodes(page)
  await keepCodes(page)
  return codes
}

/** Submits a code in the open dialog that sets up an authenticator app. */
export async function sendSetUpCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
}

export const keepCodes = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'I have saved them' }).click()

/** Signs out and enters the password again; the page then asks for a second factor. */
export async function signInAgain(page: Page, path: string, name: string): Promise<void> {
  await signOut(page)
  await visit(page, path)
  await signIn(page, name, secret)
}

/** The recovery codes on screen. */
export const readCodes = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
