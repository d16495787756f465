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

/** The rules that a page explains; the first that fits counts. */
export const refusalPages: readonly RefusalPage[] = [
  { topic: 'four eyes', page: 'history#four-eyes', fits: hasDetail('four_eyes') },
  { topic: 'required tags', page: 'tags#in-the-console', fits: hasDetail('tag_keys') },
  { topic: 'protection', page: 'history#protecting-objects', fits: says(/\bprotected by\b/) },
  { topic: 'quotas', page: 'places#silos', fits: says(/\bLimit Exceeded\b/) },
  {
    topic: 'external addresses',
    page: 'networking#external-addresses',
    fits: says(/No external IP addresses available/),
  },
  { topic: 'placement', page: 'compute#placement', fits: hasDetail('sleds') },
  { topic: 'roles', page: 'access#roles', fits: ({ errorCode }) => errorCode === 'Forbidden' },
]

export const pageOfRefusal = (refused: Refused): RefusalPage | undefined =>
  refusalPages.find(({ fits }) => fits(refused))
