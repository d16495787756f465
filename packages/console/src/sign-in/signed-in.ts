import { homePath } from '#/data/redirect-uri.ts'
import { announceSignIn } from '#/features/sign-in/sign-in-news.ts'
import { type Place, returnAt } from './place.ts'

/** What follows signing in on a page of its own: the page that was wanted. */
export function signedIn(place: Place): void {
  announceSignIn()
  place.goInstead(returnAt(place) ?? homePath)
}
