import type { Browser, BrowserContext } from '@playwright/test'
import type { Served } from './gantry.ts'
import { bodyOf, type Stage, type User, viewport } from './stage.ts'
import { password } from './target.ts'

/** Each user has their own browser context; all use one server. */
export function serverStage(browser: Browser, gantry: Served): Stage {
  const contexts: BrowserContext[] = []
  return {
    async open(who, path) {
      const context = await browser.newContext({ viewport, baseURL: gantry.url })
      contexts.push(context)
      if (who !== 'nobody') {
        const [name = '', value = ''] = (await sessionOf(gantry, who)).split('=')
        await context.addCookies([{ name, value, url: gantry.url, httpOnly: true, sameSite: 'Lax' }])
      }
      const page = await context.newPage()
      await page.goto(path)
      return page
    },
    api: apiOf(gantry),
    async clear() {
      for (const context of contexts) await context.close()
    },
  }
}

/** Calls the API of a server, signed in once as each user. */
export function apiOf(gantry: Served): Stage['api'] {
  const cookies = new Map<User, string>()
  return async (user, method, path, body) => {
    const cookie = cookies.get(user) ?? (await sessionOf(gantry, user))
    cookies.set(user, cookie)
    const response = await fetch(gantry.url + path, {
      method,
      headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return bodyOf(method, path, { status: response.status, text: await response.text() })
  }
}

/** The session's cookie of a user. */
export async function sessionOf(gantry: Served, username: User): Promise<string> {
  const response = await fetch(`${gantry.url}/v1/login/demo/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}
