/**
 * What is made once for each object, when it is first asked for, and kept as long as that object lives. State of a
 * process is kept this way for its services, beside the code that uses it.
 */
export function onceEach<Of extends object, Kept>(make: (of: Of) => Kept): (of: Of) => Kept {
  const kept = new WeakMap<Of, { value: Kept }>()
  return (of) => {
    let entry = kept.get(of)
    if (!entry) {
      entry = { value: make(of) }
      kept.set(of, entry)
    }
    return entry.value
  }
}
