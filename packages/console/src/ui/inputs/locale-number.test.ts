import { expect, test } from 'vitest'
import { localeNumber } from './locale-number.ts'

/* Decimals by point, comma and ٫; groups by point, comma, blanks and apostrophes, of two digits, and from 10,000 only;
   digits of six scripts, one outside the basic plane; a minus sign and marks of direction. */
const locales =
  'en-US de-DE de-CH de-AT fr-FR es pl pt-PT en-IN hi-IN ar-EG ar fa-IR he ur ckb sv-SE nb ru bn mr my ne ja sl et en-ZA ff-Adlm'.split(
    ' ',
  )

/** The same numbers in every run: of all magnitudes, with and without decimals. */
function* numbers() {
  for (const whole of [0, 1, 12, 999, 1000, 1024, 9999, 10_000, 65_535, 1_234_567, 4_294_967_295])
    for (const decimals of [0, 0.5, 0.25, 0.07]) {
      yield whole + decimals
      if (whole + decimals > 0) yield -whole - decimals
    }
  let seed = 1
  for (let count = 0; count < 300; count++) {
    seed = (seed * 48_271) % 2_147_483_647
    yield Math.round((seed / 2_147_483_647) * 10 ** (count % 12) * 100) / 100
  }
}

test.each(locales)('%s: reads the numbers that it shows, and the ones that a field shows', (locale) => {
  const { read, write } = localeNumber(locale)
  const shown = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  for (const number of numbers()) {
    expect(read(shown.format(number)), shown.format(number)).toBe(number)
    expect(read(write(number)), write(number)).toBe(number)
    expect(read(String(Math.round(number)))).toBe(Math.round(number) + 0)
  }
})

test.each([
  ['de', '1.024', 1024],
  ['de', '1,024', 1.024],
  ['en', '1.024', 1.024],
  ['en', '1,024', 1024],
  ['en', '1 024', 1024],
  ['en', '1\u202F024.5', 1024.5],
  ['en', '1\u00A0024', 1024],
  ['de', "1'024", 1024],
  ['en', '1’024’000', 1_024_000],
  ['en', ' 5 ', 5],
  ['en', '5.', 5],
  ['en', '.5', 0.5],
  ['en', '-5', -5],
  ['en', '−5.5', -5.5],
  ['en', '-0', 0],
  ['fa', '۱۲٫۵', 12.5],
  ['fa', '12٫5', 12.5],
  // Nothing that another locale, or a programmer, would read as another number.
  ['en', '1,5', undefined],
  ['de', '1.5', undefined],
  ['de', '1.0240', undefined],
  ['en', '1,024 000', undefined],
  ['en', '1,,024', undefined],
  ['en', ',024', undefined],
  ['en', '1.024,5', undefined],
  ['en', '1.2.3', undefined],
  ['en', '1e3', undefined],
  ['en', '0x10', undefined],
  ['en', '--5', undefined],
  ['en', '5-', undefined],
  ['en', '5 GiB', undefined],
  ['en', '٥', undefined],
  ['en', '½', undefined],
  ['en', '5²', undefined],
  ['en', 'Infinity', undefined],
  ['en', '-', undefined],
  ['en', '.', undefined],
  ['en', '', undefined],
  ['en', '9'.repeat(400), undefined],
])('%s: %j is %s', (locale, text, expected) => expect(localeNumber(locale).read(text)).toBe(expected))

test('a field shows all decimals, and groups nothing', () => {
  expect(localeNumber('de').write(1024)).toBe('1024')
  expect(localeNumber('de').write(1099.000_000_1)).toBe('1099,0000001')
  expect(localeNumber('en').write(4_294_967_295)).toBe('4294967295')
})
