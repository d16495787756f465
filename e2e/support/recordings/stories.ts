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
    'an interrupted upload refuses another file, and resumes with the right one',
    'an operator adds a trust root, uploads a release, and updates the rack to it',
  ],
  'It takes back or restores what only its installation has. The recording says so, and leaves that to users.':
    [
      'a question says which packets no longer pass, and undoing the deletion lets them pass again',
      'an edit is taken back after a look at what that does',
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
  'It invites a user. The recording does not take the id of the user from the answer, which it should.': [
    'an operator invites a user, who sets a password at the first sign-in',
  ],
  'It names blocks of an address lot by ids, and no request finds these by a name. Users replace them.': [
    'an operator creates an address lot, and sees why one in use cannot be deleted',
  ],
}

/** Not yet seen to do the same there. Each that is belongs to none of these lists. */
const untried: readonly string[] = [
  'several instances are created at once, numbered after those that exist',
  'a user creates a custom-sized instance with a disk, a key and an address',
  'exceeding a quota is refused with what happened and what to do',
  'a member saves the form of an instance as a template, locks its hardware and creates another from it',
  'a member finds who deleted an instance, and what went with it',
  'an object has its account, and changes appear by themselves',
  'a project goes with all that is in it: what is in the way is settled, then one confirmation',
  'the first load of the instances list is small and sends no API request',
  'a page is ready after at most 25 requests, document and API included',
  'Back restores the scroll position, and a new page starts at the top',
  'the home tells what failed, what there is and what was opened last',
  'the instance lifecycle works by keyboard alone, with the focus always visible',
  'an open list sends no request for a change in another project, and one for a change in its own',
  'changes by other users appear without a reload',
  'a console whose server is killed says so, and resumes once it is back',
  'the id of an instance opens its page, by the long and the short path',
  'a user creates an instance, types on its console, stops and deletes it, through a crash of the server',
  'the palette finds projects and instances by substring, from any page',
  'an object is seen as it was, with what differs now',
  'a list is seen as it was, with the way back',
  'operators use bundles, alerts, probes and the audit log of a server with the base API alone',
  'an instance is protected with a reason, which stands wherever it would be deleted or stopped',
  'what a user did becomes a script that does it again elsewhere',
  'what a user did becomes a plan, which runs in another project until a step is refused',
  'a form as code does in a shell what the form would have done',
  'tags are set on one machine and on several, read in the list, told in words and taken back',
  'forms give new objects tags, and ask for those that the silo demands',
  'a user starts many instances, and after a reload still reads which failed, and tries those again',
  'an administrator assigns a silo role and removes it',
  'a user signs in on the command line, and works there with the same objects and words',
  'a code that was used or requests too long a lifetime is refused, and can be corrected',
  'an operator adds an identity provider, and unusable metadata is refused',
  'a limited collaborator uses the networks of a project without changing them',
  'a user changes their password, and signs in with the new one',
  'a user creates a project, sees errors in its name, and renames it',
  'a user adds a passkey, signs in with it alone, and deletes it',
  'the password is followed by a passkey, or a recovery code instead',
  'a user sets up an authenticator app, and each code works once',
  'a link opened while signed out opens its page after signing in, including the query',
  'signing in through an identity provider opens the requested page',
  'an expired session is renewed over a form, which keeps its input',
  'a token for a script is made with less than its user may do, shown once, used and deleted',
  'a script that lists the failed instances each night comes from the console: its command, its token, its run',
  'a user creates blank and image disks, and sees which instances use them',
  'a viewer reads at every button why it is disabled',
  'a user creates an image from a URL, learns why the first attempt failed, and gives it tags',
  'a user promotes an image to the silo, demotes it and deletes it',
  'a user chooses UEFI and devices without virtio for an image, and sees why it booted by a BIOS',
  'a member takes a snapshot of an instance, returns to it, makes another instance of it, and deletes it',
  'snapshots older than a moment are found on all pages and deleted as one task, and the rest stays',
  'a user finds where a disk is used, and renames it and its instance while that runs',
  'a detached disk grows, and says what is left to do in the guest',
  'a member schedules snapshots of a disk, sees the next runs, changes the times and deletes the schedule',
  'a user snapshots a disk, creates an image from the snapshot, and deletes it',
  'disks of a running instance are snapshotted, detached and attached, and its boot disk stays',
  'cancelling an upload asks once and leaves nothing behind, and it can be retried',
  'an operator creates a receiver, tests it, reads its deliveries and resends one',
  'an operator finds who changed a pool, and sees it before and after',
  "a silo admin reads the silo's log; other users see which role they lack",
  'a member queries a running instance, as a chart and a table, and the URL keeps both',
  'an operator drains a sled, sees where its instances moved, and makes it provisionable again',
  'a lost sled is lost in the overview, in the list and on its page, until an operator marks it as back',
  'an operator starts what a lost sled took down on other sleds, and removes the sled for good',
  'charts show the samples of the instance',
  'a taken name is refused at its field, and the rest of the form stays',
  'a member saves a query with a threshold in percent, changes it and deletes it',
  'an operator collects a support bundle, downloads it and a file of it, and deletes it',
  'an issue is listed while its fault lasts, and then among past issues',
  'an administrator grants a fleet role, changes it and removes it',
  'a fleet viewer sees the system area, and reads which role changes need',
  'an operator tells what a silo used in a month, by project and by tag, and what it costs',
  "a user sees the silo's remaining quota, and its updates",
]

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

export const unrepeated: readonly string[] = [...Object.values(exceptions).flat(), ...untried]

export const repeatedPattern = /@story/

/** Finds those that are not repeated, and no longer titles that begin or end alike. */
export const unrepeatedPattern = new RegExp(`\\.ts (?:${unrepeated.map(escaped).join('|')})(?: @|$)`)
