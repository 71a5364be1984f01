import { pageWeightLimit, pageWeights, weightTable } from './page-weight.mjs';

/** Fails if a page of the production build loads too much JavaScript before anything is clicked. */

const weights = pageWeights('.next');
const over = weights.filter(({ bytes }) => bytes > pageWeightLimit);
if (over.length > 0) {
  console.error(
    `${over.length} of ${weights.length} pages load more than ${pageWeightLimit} bytes of JavaScript (gzip) at first:`,
  );
  console.error(weightTable(over));
  console.error('What is not seen at once is fetched when it is wanted; see app/_kit/overlay/load-on-demand.tsx.');
  process.exitCode = 1;
} else {
  const [heaviest] = weights;
  console.log(`${weights.length} pages; the heaviest is ${heaviest?.page} with ${heaviest?.bytes} of ${pageWeightLimit} bytes`);
}
