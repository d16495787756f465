import { homePath } from '#/data/redirect-uri.ts'
import { announceSignIn } from '#/features/sign-in/sign-in-news.ts'
import { type PageContext, returnAt } from './place.ts'

/** Opens the requested page after signing in on a page of its own. */
export function signedIn(context: PageContext): void {
  announceSignIn()
  context.replace(returnAt(context) ?? homePath)
}
