import { useCurrentUser } from '#/data/current-user.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'

const placeholder = <Skeleton className="h-100 max-xl:mt-8" />

/* Each has code and answers of its own, for which the projects do not wait. */
const UserAside = lazyPart(
  afterPaint(() => import('./HomeAside.tsx')),
  'HomeAside',
  placeholder,
)
/** With code and operations of the fleet, which most users never load. */
const OperatorAside = lazyPart(
  afterPaint(() => import('./OperatorAside.tsx')),
  'OperatorAside',
  placeholder,
)

/** Beside the projects, once they are shown. */
export const Home = () => (useCurrentUser().fleetViewer ? <OperatorAside /> : <UserAside />)
