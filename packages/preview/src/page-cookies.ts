import type { ChoiceStore } from './options.ts'

/** Cookies visible to scripts. They last until the browser is closed, and belong to every path. */
export const pageCookies: ChoiceStore = {
  get(key) {
    const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${key}=`))
    return found === undefined ? undefined : decodeURIComponent(found.slice(key.length + 1))
  },
  set(key, text) {
    // oxlint-disable-next-line unicorn/no-document-cookie -- the cookie store is not in every browser
    document.cookie = `${key}=${encodeURIComponent(text)}; path=/; samesite=lax`
  },
}
