# docker build -t rocconf . && docker run --rm -v "$PWD:/data" rocconf sweep scores.csv --score p
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir /wheels/*.whl && rm -r /wheels && useradd --create-home rocconf
USER rocconf
# matplotlib keeps its list of fonts here, whoever runs the image
ENV MPLCONFIGDIR=/tmp/matplotlib PYTHONUNBUFFERED=1
WORKDIR /data
ENTRYPOINT ["rocconf"]
CMD ["--help"]
