// @chunk forms: beside the notes of forms, as the links that it has.
/** A refusal, as far as it says which page explains its rule. */
interface Refused {
  message: string
  errorCode?: string
  details?: unknown
}

interface RefusalPage {
  /** The title of the page or part, as in `Read about four eyes`. */
  topic: string
  /** The page of the documentation, with its anchor. */
  page: string
  fits: (refused: Refused) => boolean
}

const hasDetail =
  (name: string) =>
  ({ details }: Refused): boolean =>
    typeof details === 'object' && details !== null && name in details

const says =
  (words: RegExp) =>
  ({ message }: Refused): boolean =>
    words.test(message)

/** The rules that a page explains, those of one situation before those of a whole area; the first that fits counts. */
export const refusalPages: readonly RefusalPage[] = [
  { topic: 'four eyes', page: 'history#four-eyes', fits: hasDetail('four_eyes') },
  { topic: 'required tags', page: 'tags#in-the-console', fits: hasDetail('tag_keys') },
  { topic: 'protection', page: 'history#protecting-objects', fits: says(/\bprotected by\b/) },
  { topic: 'quotas', page: 'places#silos', fits: says(/\bLimit Exceeded\b/) },
  {
    topic: 'external addresses',
    page: 'networking#external-addresses',
    fits: says(/No external IP addresses available|\bephemeral IP\b|external IP/i),
  },
  { topic: 'placement', page: 'compute#placement', fits: hasDetail('sleds') },
  { topic: 'roles', page: 'access#roles', fits: ({ errorCode }) => errorCode === 'Forbidden' },
  ...ofWords([
    ['four eyes', 'history#four-eyes', /\bsecond person\b/],
    [
      'saved plans',
      'history#saved-plans',
      /\bsaved plan|\bsaved as a plan|\bplanned\b|\bplan is\b|\bthe plan\b|\bcommits this\b/,
    ],
    ['the recycle bin', 'history#the-recycle-bin', /recycle bin|\brestoration is\b|being restored already/],
    ['deletions', 'history#deleting-what-holds-other-things', /\bthe deletion is\b/],
    ['the boot disk', 'compute#the-boot-disk', /\bboot disk\b/i],
    ['CPU platforms and size', 'compute#size', /CPU platform|to be resized|\bvCPUs\b/],
    [
      'instance snapshots',
      'storage#instance-snapshots',
      /instance snapshot|from this snapshot|snapshot of the present state|has no disks/,
    ],
    [
      'backups',
      'backups',
      /\bbackups?\b|\b(?:the|this) target (?:no longer|lost|holds|over)|key is not the one|is not in this project/i,
    ],
    ['guest agents', 'compute#guest-agent', /\bguest agent\b/],
    ['CDs', 'bring-an-image#install-from-a-cd', /\bCD drives?\b|cannot be inserted/],
    ['hardware', 'bring-an-image#firmware-and-devices', /hardware cannot change|Secure boot needs/],
    ['templates', 'templates', /\btemplate\b/],
    ['schedules', 'schedules', /\bschedule\b/],
    ['images', 'bring-an-image', /\bimages?\b|\bupload\b|of the file|The file |\bthe piece\b/i],
    ['disks', 'storage#disks', /\bdisks?\b/i],
    ['snapshots', 'storage#snapshots', /\bsnapshot\b/i],
    ['external subnets', 'networking#external-subnets', /external subnet|subnet pool/i],
    ['multicast groups', 'networking#multicast-groups', /\bmulticast\b/i],
    ['floating IPs', 'floating-ip', /floating IP/i],
    ['routers and routes', 'networking#routers-and-routes', /\brouters?\b|\broutes?\b|\bgateway\b/i],
    [
      'subnets and addresses',
      'networking#vpcs-and-subnets',
      /\bsubnets?\b|\bVPC\b|network interface|primary interface|virtual network|private address|IP address '|\bis outside\b/i,
    ],
    ['IP pools', 'hardware#ip-pools', /\bIP pools?\b|\bfrom this pool\b|provided (?:IP )?range/i],
    ['probes', 'networking#probes', /\bprobe\b/],
    ['updates', 'updates#the-update', /target release|\bcomponents?\b|recovery of an update/],
    ['repositories', 'updates#repositories', /\brepository\b|\brepositories\b|uploaded artifacts/],
    ['sleds', 'hardware#sleds', /\bsled\b|\brack\b|\bdrain\b/],
    [
      'the network of the rack',
      'hardware#switches-and-the-racks-network',
      /\bswitch\b|\bport settings\b|port name|\blot\b|announce set|allowlist|\bBGP\b|\bper ASN\b|waiting for confirmation/i,
    ],
    [
      'signing in',
      'access#signing-in-safely',
      /second factor|passkeys?\b|authenticator app|\bpassword\b|the code is wrong/,
    ],
    ['trust roots', 'updates#trust-roots', /\btrust roots?\b/],
    ['support bundles', 'production#support-bundles', /\bbundles?\b/],
    ['service accounts', 'access-tokens#service-accounts', /service account/],
    ['access tokens', 'access-tokens', /\bTTL\b|\btoken of this silo\b/],
    [
      'identity providers',
      'identity-providers',
      /identity providers?|\bIDP\b|\bSAML\b|\bSCIM\b|\blocal users\b/,
    ],
    [
      'receivers of alerts',
      'alerts#send-alerts-to-another-system',
      /\breceiver\b|activity of the silo is not yours/,
    ],
    ['thresholds', 'metrics#saved-queries-and-thresholds', /\bthreshold\b|^a filter is saved\b/],
    ['queries of metrics', 'metrics#queries', /\btimeseries\b/],
    ['tags', 'tags', /\btags?\b/],
    ['earlier states', 'history#at-that-time', /\bthe moment is\b/],
    [
      'states of instances',
      'compute#states',
      /\binstance\b.*\b(?:state|stopped|running|started|created|failed|deleted)\b|Instance must be|\binstance \S+ is\b/i,
    ],
  ]),
]

/** Rules that only services know: their refusals are told by what they speak of. */
function ofWords(rules: readonly (readonly [topic: string, page: string, words: RegExp])[]): RefusalPage[] {
  const isRule = ({ errorCode }: Refused) => errorCode === undefined || !unexplained.has(errorCode)
  return rules.map(([topic, page, words]) => ({
    topic,
    page,
    fits: (refused) => isRule(refused) && says(words)(refused),
  }))
}

/** What is not there, is taken, or was sent too often: the sentence says all of it. */
const unexplained = new Set([
  'ObjectNotFound',
  'ObjectAlreadyExists',
  'Unauthorized',
  'InvalidValue',
  'ServiceNotAvailable',
  'PreconditionFailed',
  'TooManyRequests',
  'Internal',
])

export const pageOfRefusal = (refused: Refused): RefusalPage | undefined =>
  refusalPages.find(({ fits }) => fits(refused))
