/**
 * Browser tests marked `story` that are not repeated on an empty installation, by the reason. All others are, so a new one is,
 * too.
 */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'It changes nothing.': [
    'a member finds in the documentation how lists are filtered',
    'the sign-in page is smaller, and fetches the console only once a username is typed',
    'the build contains no inline scripts or styles',
    'every page of the console is listed as a screen, opens over one, or redirects',
    'the product build contains nothing of the preview',
    'the theme follows the system, until a user selects one permanently',
    'a wrong password is reported, and the username stays',
    'a sign-in link that redirects to https://example.com/steal opens the projects instead',
    'a sign-in link that redirects to //example.com/steal opens the projects instead',
    'a sign-in link that redirects to /\\example.com/steal opens the projects instead',
    'a sign-in link that redirects to /login/demo/local opens the projects instead',
    'repeated wrong passwords are rate limited, for that user alone',
    'signing out hides everything, also from Back',
    'leaving a panel in any way keeps unsaved input until confirmed',
    "a user's page shows their effective roles, and where they come from",
  ],
  'It concerns only the sign-in of its users, which is not recorded.': [
    'ending a session elsewhere makes that browser sign in again',
    "entering a device's code lets the device act as the user",
  ],
  'It uploads a file, whose bytes are not recorded.': [
    'a user installs an instance from a CD, ejects it, and inserts another',
    'a user uploads a qcow2 image, sees what it is, and gets an image of the size of its disk',
    'a user uploads an image, and errors are shown beforehand',
    'cancelling an upload asks once and leaves nothing behind, and it can be retried',
    'an interrupted upload refuses another file, and resumes with the right one',
    'an operator adds a trust root, uploads a release, and updates the rack to it',
  ],
  'It restores from a backup target, which an empty installation lacks.': [
    'a user backs an instance up, destroys it, and restores it from the backup',
  ],
  'It takes back or restores what only its installation has. The recording says so, and leaves that to users.':
    [
      'a question says which packets no longer pass, and undoing the deletion lets them pass again',
      'an edit is taken back after a look at what that does',
      'tags are set on one machine and on several, read in the list, told in words and taken back',
      'a saved edit can be undone from its message',
      'who deleted an instance is found in Activity, and it is restored from there in four clicks',
      'a deleted disk goes into the recycle bin, unless it is deleted for good, and its time is shown',
      'who deleted the database with its whole project is found in Activity, and all of it comes back in four clicks',
    ],
  'A program or an identity provider changes something by a token of its own, whose requests are in no recording of a user.':
    [
      'a program acts by a service account of a project, and its token is replaced while it works',
      'an operator lets an identity provider manage the users of a silo, and ends that',
    ],
  'It gives a certificate with its private key, and keys are secrets, which are not recorded.': [
    'an administrator of a silo adds a certificate, sees when it expires, and deletes it',
    'an operator creates a silo, keeps the input after a refusal, and deletes it',
  ],
  'It deletes what is older than a moment, before which there is nothing there.': [
    'snapshots older than a moment are found on all pages and deleted as one task, and the rest stays',
  ],
  'It fetches a file from a server of the test, which has ended by then.': [
    'a user creates an image from a URL, learns why the first attempt failed, and gives it tags',
  ],
  'It creates several instances at once, which take addresses in the order in which their creations end.': [
    'several instances are created at once, numbered after those that exist',
  ],
  'Its two thousand requests would take minutes to repeat.': [
    'one machine among two thousand is found by address, by age and by state',
    'pickers find each of eleven hundred disks on the server, by keyboard, and say that there are more',
  ],
  'It moves the clock of a server of its own.': [
    'an operator tells what silo forge used in October, and what each of its projects cost',
    'snapshots older than a month are found by their age, and deleted',
  ],
  'It names a sled that it adds, and no request finds that by its serial number.': [
    'an operator starts what a lost sled took down on other sleds, and removes the sled for good',
  ],
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

export const unrepeated: readonly string[] = Object.values(exceptions).flat()

export const repeatedPattern = /@story/

/** Finds those that are not repeated, and no longer titles that begin or end alike. */
export const unrepeatedPattern = new RegExp(`\\.ts (?:${unrepeated.map(escaped).join('|')})(?: @|$)`)
